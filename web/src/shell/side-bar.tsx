import { Link, useLocation } from 'wouter'
import { classes } from '../parts/classes.ts'
import { useCounters } from './counters.ts'
import { LiveSign } from './live-sign.tsx'
import { Logo } from './logo.tsx'
import { isAt, MAIN_PLACES, type Place, SIDE_PLACES } from './places.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

export const SideBar = () => (
  <aside className="sticky top-0 flex h-dvh w-52 shrink-0 flex-col border-line border-r px-3 py-4 max-md:hidden">
    <Link href="/" className="flex items-center gap-2 px-2 pb-4 text-accent">
      <Logo />
      <b className="text-ink text-lg">Holdfast</b>
    </Link>
    <nav aria-label="Places" className="flex flex-col gap-0.5">
      {MAIN_PLACES.map((place) => (
        <PlaceLink key={place.path} {...place} />
      ))}
      <hr className="mx-2 my-2.5 border-line" />
      {SIDE_PLACES.map((place) => (
        <PlaceLink key={place.path} {...place} />
      ))}
    </nav>
    <div className="mt-auto flex flex-col gap-3 px-2">
      <ThemeSwitch />
      <LiveSign />
    </div>
  </aside>
)

function PlaceLink({ path, name, letter, icon: Icon }: Place) {
  const [location] = useLocation()
  const counter = useCounters()[path]
  const here = isAt(location, path)
  return (
    <Link
      href={path}
      aria-current={here ? 'page' : undefined}
      title={`g ${letter}`}
      className={classes(
        'flex items-center gap-2.5 rounded-md px-2.5 py-1.5',
        here ? 'bg-soft font-semibold' : 'hover:bg-soft/60',
      )}
    >
      <Icon size={15} className="text-mut" aria-hidden="true" />
      <span className="flex-1">{name}</span>
      {counter !== undefined && counter.count > 0 && (
        <span
          className={classes('text-xs', counter.urgent ? 'font-bold text-amber' : 'font-normal text-mut')}
        >
          {counter.count.toLocaleString('en-US')}
        </span>
      )}
    </Link>
  )
}
