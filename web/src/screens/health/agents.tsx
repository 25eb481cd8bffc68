// Owns which agents were found, and how to get those that were not.
import type { AgentFoundJson } from '../../../../src/protocol/json/daemon-json.ts'
import { useAgents } from '../../data/installation/agents.ts'
import { Ago } from '../../parts/age.tsx'
import { Rows } from '../../parts/card.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Stale } from '../../parts/stale.tsx'
import type { StateWord } from '../../words/state.ts'

export function Agents() {
  const agents = useAgents()
  return (
    <Stale of={agents}>
      {(all) => (
        <div>
          <Rows label="Agents">
            {all.map((agent) => (
              <Agent key={agent.kind} agent={agent} />
            ))}
          </Rows>
          {agents.asOf !== undefined && (
            <p className="mt-2 text-mut text-sm">
              Looked for <Ago at={agents.asOf} />.
            </p>
          )}
        </div>
      )}
    </Stale>
  )
}

function wordFor({ found, unusable, login }: AgentFoundJson): StateWord {
  if (!found) return { word: 'not found', tone: 'grey' }
  if (unusable !== null) return { word: 'cannot be used', tone: 'red' }
  return login === 'no' ? { word: 'not logged in', tone: 'amber' } : { word: 'found', tone: 'green' }
}

function Agent({ agent }: { readonly agent: AgentFoundJson }) {
  const { kind, found, path, version, unusable, login, login_fix, install } = agent
  return (
    <li className="px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-1">
        <Chip {...wordFor(agent)} wide />
        <b className="font-semibold">{kind}</b>
        <span className="text-mut text-sm">
          {path !== null && (version === null ? 'version unknown' : `version ${version}`)}
        </span>
        {path !== null && <code className="min-w-0 text-mut">{path}</code>}
      </div>
      {unusable !== null && <p className="mt-1 text-sm">{unusable}.</p>}
      {(!found || unusable !== null) && install !== null && (
        <p className="mt-1.5">
          <Copy text={install} />
        </p>
      )}
      {path !== null && login === 'no' && login_fix !== null && (
        <p className="mt-1 text-mut text-sm">{login_fix}</p>
      )}
    </li>
  )
}
