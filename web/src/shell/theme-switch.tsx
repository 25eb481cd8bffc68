import { Monitor, Moon, Sun } from 'lucide-react'
import { useSignal } from '../data/signal.ts'
import { classes } from '../parts/classes.ts'
import { chooseTheme, type Theme, theme } from './theme.ts'

const THEMES = [
  { value: 'system', name: 'As the system', icon: Monitor },
  { value: 'light', name: 'Light', icon: Sun },
  { value: 'dark', name: 'Dark', icon: Moon },
] as const satisfies readonly { value: Theme; name: string; icon: unknown }[]

export function ThemeSwitch() {
  const chosen = useSignal(theme)
  return (
    <fieldset className="flex w-fit gap-0.5 rounded-md border border-line p-0.5">
      <legend className="sr-only">Theme</legend>
      {THEMES.map(({ value, name, icon: Icon }) => (
        <button
          key={value}
          type="button"
          title={name}
          aria-label={name}
          aria-pressed={chosen === value}
          onClick={() => chooseTheme(value)}
          className={classes(
            'rounded-sm p-1.5',
            chosen === value ? 'bg-soft text-ink' : 'text-mut hover:text-ink',
          )}
        >
          <Icon size={14} />
        </button>
      ))}
    </fieldset>
  )
}
