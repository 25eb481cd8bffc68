import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'

const own = (text: string) =>
  mergeConfig([{ file: 'config.yaml', approval: 'own', content: parse(text) }]).config
const channel = (text: string) => own(`notify.channels: {team: ${text}}`)['notify.channels'].team

test('channels are read with their defaults', () => {
  expect(channel('{type: ntfy, topic: my-topic}')).toEqual({
    type: 'ntfy',
    server: 'https://ntfy.sh',
    topic: 'my-topic',
    token: null,
  })
  expect(
    channel('{type: telegram, token: {env: T}, chats: [12345, "-100"], quietHours: none}'),
  ).toMatchObject({
    chats: ['12345', '-100'],
    quietHours: null,
  })
})

test.each([
  ['{type: fax}', "'notify.channels.team.type' must be one of webhook, slack"],
  ['{type: webhook, url: "https://x.example", secret: abc}', 'never stands in the config itself'],
  ['{type: webhook, url: "https://x.example"}', "'notify.channels.team.secret' is missing"],
  ['{type: webhook, url: "ftp://x", secret: {env: S}}', 'must be an address that begins with https://'],
  ['{type: webhook, url: "https://u:p@x.example", secret: {env: S}}', 'must not contain a user name'],
  ['{type: webhook, url: "https://x.example", secret: {file: rel}}', 'a path that begins with / or ~/'],
  ['{type: webhook, url: "https://x.example", secret: {env: "a b"}}', 'the name of a variable'],
  ['{type: slack, url: {env: U}, users: [U1]}', 'needs `signingSecret` for `users` to answer'],
  ['{type: slack, url: {env: U}, sigingSecret: {env: S}}', 'is unknown; a slack has url, signingSecret'],
  ['{type: lark}', 'needs `url` (a custom bot), or `chat`'],
  ['{type: lark, url: {env: U}, users: [ou_1]}', 'needs `encryptKey` or `verificationToken`'],
  ['{type: lark, chat: oc_1}', 'needs `appId` and `appSecret`'],
  [
    '{type: email, server: "smtp://m.example", from: a@b.example, to: ["x, y@z.example"]}',
    'must be an e-mail address',
  ],
  [
    '{type: email, server: "https://m.example", from: a@b.example, to: [a@b.example]}',
    'must be like smtp://',
  ],
  ['{type: email, server: "smtp://m.example", from: a@b.example, to: [a@b.example], user: a}', 'needs both'],
  ['{type: telegram, token: {env: T}, chats: []}', 'must be a list of 1 to 50'],
  ['{type: command, argv: "rm -rf"}', 'must be a list of 1 to 50'],
  ['{type: bell, quietHours: "22-7"}', 'must be like 22:00-07:00, or none'],
])('%s is refused: %s', (text, why) => {
  expect(() => channel(text)).toThrow(why)
})

test('rules name known events and channels that exist', () => {
  const rule = (text: string) => () => own(`notify: {channels: {a: {type: bell}}, rules: [${text}]}`)
  expect(rule('{events: [question], tags: [night], channels: [a]}')()['notify.rules']).toEqual([
    { events: ['question'], tags: ['night'], roles: [], channels: ['a'], children: false },
  ])
  expect(rule('{event: [question]}')).toThrow("'notify.rules[0].event' is unknown")
  expect(rule('{events: [ended]}')).toThrow("names 'ended'; known are completion, failure")
  expect(rule('{channels: [b]}')).toThrow(
    "'notify.rules[0].channels' names 'b', which is not in notify.channels",
  )
})

test('a project may leave events out, and nothing else', () => {
  const project = (text: string) => () =>
    mergeConfig([
      { file: 'own', approval: 'own', content: parse('notify.events: [question, failure]') },
      { file: 'project', approval: 'new', content: parse(text) },
    ]).config['notify.events']
  expect(project('notify.events: [failure]')()).toEqual(['failure'])
  expect(project('notify.events: [completion]')).toThrow("'notify.events' allows more than your own settings")
  for (const key of [
    'channels: {a: {type: bell}}',
    'rules: []',
    'quietHours: 22:00-07:00',
    'publicUrl: "https://x.example"',
  ])
    expect(project(`notify: {${key}}`)).toThrow('can only be set in your own config')
})
