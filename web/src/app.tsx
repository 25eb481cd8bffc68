import { Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { Empty } from './parts/empty.tsx'
import { Boundary } from './parts/loaded/boundary.tsx'
import { routes } from './routes.tsx'
import { BottomBar } from './shell/bottom-bar.tsx'
import { FIND_KEYS } from './shell/find-keys.ts'
import { Notices } from './shell/notices.tsx'
import { Palette } from './shell/palette/palette.tsx'
import { Screen } from './shell/screen.tsx'
import { Shortcuts } from './shell/shortcuts.tsx'
import { SideBar } from './shell/side-bar.tsx'

export const App = () => (
  <>
    <div className="flex min-h-dvh">
      <SideBar />
      <div className="flex min-w-0 flex-1 flex-col">
        <Notices />
        <ScreenOfAddress />
      </div>
    </div>
    <BottomBar />
    <Palette />
    <Shortcuts />
  </>
)

/** What cannot be shown leaves the places at the side where they are. */
function ScreenOfAddress() {
  const [address] = useLocation()
  return (
    <Boundary at={address} frame={(said) => <Screen title="Not shown">{said}</Screen>}>
      <Suspense fallback={<main className="flex-1" aria-busy="true" />}>
        <Switch>
          {routes.map(({ path, screen }) => (
            <Route key={path} path={path} component={screen} />
          ))}
          <Route>
            <Screen title="Nothing is here">
              <Empty>This address leads nowhere. The places are at the side, and behind {FIND_KEYS}.</Empty>
            </Screen>
          </Route>
        </Switch>
      </Suspense>
    </Boundary>
  )
}
