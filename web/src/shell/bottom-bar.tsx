import { Link, useLocation } from 'wouter'
import { classes } from '../parts/classes.ts'
import { useCounters } from './counters.ts'
import { isAt, PHONE_PLACES } from './places.tsx'

/** On a phone: five places at the thumb. */
export function BottomBar() {
  const [location] = useLocation()
  const counters = useCounters()
  return (
    <nav
      aria-label="Places"
      className="fixed inset-x-0 bottom-0 z-20 flex justify-around border-line border-t bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {PHONE_PLACES.map(({ path, name, icon: Icon }) => {
        const counter = counters[path]
        const here = isAt(location, path)
        return (
          <Link
            key={path}
            href={path}
            aria-current={here ? 'page' : undefined}
            className={classes(
              'flex flex-1 flex-col items-center gap-0.5 py-2 text-xs',
              here ? 'font-semibold text-accent' : 'text-mut',
            )}
          >
            <Icon size={18} aria-hidden="true" />
            <span>
              {path === '/tasks' ? 'All' : name}
              {counter?.urgent && counter.count > 0 && <b className="ml-1 text-amber">{counter.count}</b>}
            </span>
          </Link>
        )
      })}
    </nav>
  )
}
