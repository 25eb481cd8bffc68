// What axe finds wrong with a page for people who use it by keyboard, reader or magnifier.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; help: string; nodes: { html: string; failureSummary: string }[] }

/** One line for each place that is wrong. By evaluation, not by a script tag: the page's policy allows none but its own. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(source)
  const violations = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  )) as Violation[]
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${id}: ${help} in ${html.slice(0, 200)} (${failureSummary.split('\n')[1]?.trim()})`,
    ),
  )
}
