// Settings of what is said to agents, and of what agents may say and start themselves. A part of the table in domain/settings/config.ts.

import { boolean, duration, optional, text, whole } from '../setting-kinds.ts'
import { setting } from './setting.ts'

export const messageSettings = {
  'quiet.window': setting(
    20_000,
    'daemon',
    duration(0),
    'Holdfast types into an agent’s terminal only after nobody has pressed a key there for this time.',
  ),
  'token.lifetime': setting(
    15 * 60_000,
    'daemon',
    duration(10_000),
    'How long the token is valid by which a run proves who it is. It is renewed while the run lives.',
  ),
  'bridge.mcp': setting(
    true,
    'daemon',
    boolean,
    'Give the tools of Holdfast (MCP) to every run of an agent that can have them. Your own MCP servers stay.',
  ),
  'thread.maxTurns': setting(
    20,
    'daemon',
    whole(1, 100_000),
    'After this many messages of agents in a row without progress, a thread is blocked until a person or the orchestrator continues it. After as many wake-ups of a parent in a row for sessions of which none had completed, it is not woken any more until a person has spoken to it.',
  ),
  'thread.maxIdenticalFindings': setting(
    3,
    'daemon',
    whole(2, 1000),
    'After this many findings that say the same, a thread is blocked in the same way.',
  ),
  'trigger.ratePerThread': setting(
    30,
    'daemon',
    whole(1, 10_000),
    'How often per minute agents may be woken by messages of one thread, and by prompts that agents send in it; further ones come later. Prompts of people take a place, and wait for none.',
  ),
  'trigger.ratePerAgent': setting(
    60,
    'daemon',
    whole(1, 10_000),
    'The same for the messages and prompts of one agent, in all threads together.',
  ),
  'orchestrator.role': setting(
    null,
    'daemon',
    optional(text),
    'The role whose agents coordinate the others: they may continue blocked threads, send prompts to the other runtimes of their workspace, and are told when a person has typed into another runtime of their workspace.',
  ),
  'trigger.maxBytes': setting(
    64 * 1024,
    'less',
    whole(1, 16 * 1024 * 1024),
    'Longest prompt that can be sent to a session that runs.',
  ),
  'trigger.deferRecheck': setting(
    5_000,
    'daemon',
    duration(100),
    'How often a prompt that waits because somebody types is looked at again, in addition to when its terminal changes.',
  ),
  'trigger.deferMax': setting(
    60_000,
    'daemon',
    duration(0),
    'After this time of waiting for a person, whoever waits for the prompt is told (DEFER_TIMEOUT).',
  ),
  'trigger.ackTimeout': setting(
    8_000,
    'daemon',
    duration(100),
    'How long an acknowledgement of a prompt in an envelope is awaited.',
  ),
  'trigger.ackRetries': setting(
    2,
    'daemon',
    whole(0, 10),
    'How often it is awaited longer after that. Nothing is sent again.',
  ),
  'trigger.ackBackoff': setting(
    2_000,
    'daemon',
    duration(0),
    'The first further wait; each one after it is twice as long.',
  ),
  'trigger.resumeAttempts': setting(
    2,
    'daemon',
    whole(0, 10),
    'How often an agent that does not take a prompt is resumed with it. After that a runtime begins a new session with it; elsewhere the prompt has failed.',
  ),
  'recursion.depth': setting(
    0,
    'less',
    whole(0, 10),
    'How deep tasks may start tasks. 0: not at all. 1: tasks that a person started may start tasks, but those may not.',
    'use',
  ),
} as const
