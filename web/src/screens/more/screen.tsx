import { Rows } from '../../parts/card.tsx'
import { Row } from '../../parts/row.tsx'
import { LiveSign } from '../../shell/live-sign.tsx'
import { MAIN_PLACES, PHONE_PLACES, SIDE_PLACES } from '../../shell/places.tsx'
import { Screen } from '../../shell/screen.tsx'
import { ThemeSwitch } from '../../shell/theme-switch.tsx'

/** On a phone: the places that have no room in the bar below. */
export const MoreScreen = () => (
  <Screen title="More">
    <Rows>
      {[...MAIN_PLACES, ...SIDE_PLACES]
        .filter(({ path }) => !PHONE_PLACES.some((other) => other.path === path))
        .map(({ path, name, icon: Icon }) => (
          <Row key={path} mark={<Icon size={18} aria-hidden="true" />} title={name} href={path} />
        ))}
    </Rows>
    <div className="mt-5 flex items-center justify-between">
      <LiveSign />
      <ThemeSwitch />
    </div>
  </Screen>
)
