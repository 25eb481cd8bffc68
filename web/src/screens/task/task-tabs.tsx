// Owns the tabs of a task; the address has the chosen one.
import { Tabs } from '@base-ui/react/tabs'
import { type ReactNode, useMemo } from 'react'
import { useLocation } from 'wouter'
import type { WhyJson } from '../../../../src/protocol/json/recovery-json.ts'
import type { TaskDetailJson } from '../../../../src/protocol/json/task-json.ts'
import { useChangedCount } from '../../data/task/changes.ts'
import { classes } from '../../parts/classes.ts'
import { Skeleton } from '../../parts/stale.tsx'
import { type Keys, useKeys } from '../../shell/shortcuts.tsx'
import { hasEnded } from '../../words/state.ts'
import { ChangesTab } from './changes/changes-tab.tsx'
import { CostTab } from './cost/cost-tab.tsx'
import { OutputTab } from './output/output-tab.tsx'
import { SendBox } from './send-box.tsx'
import { ChildrenTab, useChildren } from './tabs/children-tab.tsx'
import { InputsTab } from './tabs/inputs-tab.tsx'
import { ResultTab } from './tabs/result-tab.tsx'
import { ScreenTab } from './tabs/screen-tab.tsx'
import { VerificationTab } from './tabs/verification-tab.tsx'
import { WhyTab } from './tabs/why-tab.tsx'

type Given = { readonly task: TaskDetailJson; readonly why: WhyJson | undefined }
/** What is counted beside the names of tabs; undefined until it is known. */
type Counts = { readonly changes: number | undefined; readonly children: number | undefined }
type Tab = {
  readonly path: string
  readonly name: string
  readonly count?: (given: Given & { readonly counts: Counts }) => number | undefined
  readonly show: (given: Given) => ReactNode
}

const TABS: readonly Tab[] = [
  { path: 'output', name: 'Output', show: ({ task, why }) => <OutputTab task={task} why={why} /> },
  { path: 'screen', name: 'Screen', show: ({ task }) => <ScreenTab task={task} /> },
  {
    path: 'changes',
    name: 'Changes',
    count: ({ counts }) => counts.changes,
    show: ({ task }) => <ChangesTab task={task} />,
  },
  { path: 'result', name: 'Result', show: ({ task }) => <ResultTab task={task} /> },
  {
    path: 'checks',
    name: 'Verification',
    count: ({ task }) => task.checks.length,
    show: ({ task }) => <VerificationTab task={task} />,
  },
  { path: 'why', name: 'Why', show: ({ why }) => (why === undefined ? <Skeleton /> : <WhyTab why={why} />) },
  {
    path: 'inputs',
    name: 'Inputs',
    count: ({ task }) => task.inputs.length,
    show: ({ task }) => <InputsTab task={task} />,
  },
  {
    path: 'children',
    name: 'Children',
    count: ({ counts }) => counts.children,
    show: ({ task }) => <ChildrenTab id={task.session_id} />,
  },
  { path: 'cost', name: 'Cost', show: ({ task }) => <CostTab task={task} /> },
]

/** The digits lead to the tabs, `s` to the box for a prompt, where there is one, `a` to what it asks. */
const keysFor = (show: (path: string) => void, takesPrompts: boolean, asks: boolean): Keys => ({
  ...(takesPrompts && {
    s: { what: 'Send a prompt', run: () => document.getElementById('send')?.focus() },
  }),
  ...(asks && { a: { what: 'Answer what it asks', run: focusQuestion } }),
  ...Object.fromEntries(
    TABS.map(({ path, name }, index) => [String(index + 1), { what: name, run: () => show(path) }]),
  ),
})

const focusQuestion = () =>
  document.querySelector<HTMLElement>('[data-question] :is(button, textarea)')?.focus()

export function TaskTabs({ task, why, tab }: Given & { readonly tab: string }) {
  const [, go] = useLocation()
  const id = task.session_id
  const { takes_prompts: takesPrompts } = task
  const asks = !hasEnded(task) && task.questions.length > 0
  const keys = useMemo(
    () => keysFor((path) => go(`/tasks/${id}/${path}`, { replace: true }), takesPrompts, asks),
    [id, go, takesPrompts, asks],
  )
  useKeys(keys)
  const counts = {
    changes: useChangedCount(id),
    children: useChildren(id).value?.length,
  }
  const given = { task, why, counts }
  const chosen = TABS.some(({ path }) => path === tab) ? tab : 'output'
  return (
    <Tabs.Root
      value={chosen}
      onValueChange={(path) => go(`/tasks/${task.session_id}/${path}`, { replace: true })}
      className="min-w-0 rounded-lg border border-line bg-panel shadow-lift"
    >
      <Tabs.List
        aria-label="About the task"
        className="flex gap-4.5 overflow-x-auto border-line border-b px-4"
      >
        {TABS.map(({ path, name, count }) => (
          <Tabs.Tab
            key={path}
            value={path}
            className={classes(
              'whitespace-nowrap py-2.5',
              path === chosen
                ? 'font-semibold shadow-[inset_0_-2px_0_var(--accent)]'
                : 'text-mut hover:text-ink',
            )}
          >
            {name} <Count of={count?.(given) ?? 0} />
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TABS.map(({ path, show }) => (
        <Tabs.Panel key={path} value={path}>
          {path === chosen && show(given)}
        </Tabs.Panel>
      ))}
      {task.takes_prompts && <SendBox task={task} />}
    </Tabs.Root>
  )
}

const Count = ({ of }: { readonly of: number }) =>
  of === 0 ? null : <span className="font-normal text-mut text-xs">{of}</span>
