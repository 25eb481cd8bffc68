// Owns ending the control clients of daemons that are gone. One that connects only after its daemon was killed is in no
// record. Nobody reads from it, so it stays connected and keeps the server from ending.
import { KEEPER } from '../program/ensure-server.ts'
import { type ControlClient, OWN_FLAGS } from './control-client.ts'
import type { KnownProcesses } from './known-processes.ts'

const LIST = ['list-clients', '-t', `=${KEEPER}`, '-F', '#{client_pid} #{client_flags}']

/** Only the daemon of this home starts clients with these flags, and there is one daemon: all but its own are orphans. */
export async function endOrphans(own: ControlClient, processes: KnownProcesses): Promise<void> {
  for (const row of await own.request(LIST)) {
    const [pid, flags = ''] = row.split(' ')
    if (Number(pid) === own.pid || !OWN_FLAGS.every((flag) => flags.split(',').includes(flag))) continue
    const orphan = processes.identityOf(Number(pid))
    if (orphan !== undefined) processes.signal(orphan, 'SIGKILL')
  }
}
