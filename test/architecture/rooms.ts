import { commands } from '../../src/cli/commands.ts'

// Who may import whom. The core never imports an adapter; only daemon/ knows both.
const core = ['domain', 'ports']
export const mayImport: Record<string, string[]> = {
  domain: [],
  ports: ['domain'],
  protocol: ['domain'],
  system: core,
  store: core,
  tmux: core,
  agents: core,
  handoff: core,
  channels: core,
  // The parts of a commit, for all rooms of the core that write.
  changes: core,
  delivery: [...core, 'changes'],
  supervisor: [...core, 'changes', 'delivery'],
  // What others may ask of the core is at its desk. The core asks nothing of them: they listen to the journal.
  bridge: [...core, 'supervisor/desk.ts'],
  workflow: [...core, 'supervisor/desk.ts'],
  notify: [...core, 'supervisor/desk.ts'],
  // Hears the journal, counts, and reads the store for what is so now.
  metrics: core,
  // Hears the journal, and tells a collector of traces.
  traces: [...core, 'supervisor/desk.ts'],
  server: [...core, 'protocol', 'supervisor/desk.ts', 'bridge', 'notify', 'workflow', 'mcp'],
  daemon: [
    ...core,
    'protocol',
    'system',
    'store',
    'tmux',
    'agents',
    'handoff',
    'delivery',
    'bridge',
    'channels',
    'notify',
    'metrics',
    'traces',
    'supervisor',
    'workflow',
    'server',
  ],
  mcp: ['domain', 'protocol'],
  // Also for browsers.
  client: ['domain', 'protocol'],
  drill: ['domain', 'protocol', 'system', 'cli/wire', 'cli/starting/reach-daemon.ts', 'cli/commands.ts'],
  // The drivers are pure: what a screen or an event line means can be asked without a daemon.
  cli: [...core, 'protocol', 'system', 'agents', 'mcp', 'drill'],
}

const commandWords = [...new Set(commands.map(({ name }) => name.split(' ')[0]!))]

/** What the store can be asked to write. Each has its door below. */
export const storeWrites = [
  'checkWrites',
  'commit',
  'commitSoon',
  'dropSubscriber',
  'giveSign',
  'moveCursor',
  'prune',
  'takeSubscriber',
]

/** Things that come in through one door only: the pattern, and where it may stand. */
export const doors: { what: string; pattern: RegExp; allowed: RegExp }[] = [
  {
    what: 'child processes',
    pattern: /node:child_process/,
    allowed:
      /^src\/(system\/processes\/exec|tmux\/program\/spawn|agents\/(scripted\/program|opencode\/bridge)\/)/,
  },
  {
    what: 'the whole core; a function takes the slice it uses',
    pattern: /:\s*Core\s*[,)=;\n]/,
    allowed: /^src\/supervisor\/supervisor\.ts$/,
  },
  {
    what: 'the wall clock',
    pattern: /\bDate\.now\(/,
    allowed: /^src\/(system|daemon|cli|drill|agents\/(scripted\/program|opencode\/bridge))\//,
  },
  {
    what: 'timers',
    pattern: /\bset(Timeout|Interval)\(/,
    // The extension is the text of a program that runs inside Pi.
    allowed:
      /^src\/((system|daemon|cli|client|agents\/(scripted\/program|opencode\/bridge))\/|agents\/pi\/extension)/,
  },
  {
    what: 'the environment',
    pattern: /\bprocess\.env\b(?!\.HOLDFAST_BUILD_VERSION)/,
    allowed: /^src\/((system|daemon|cli|agents\/(scripted\/program|opencode\/bridge))\/|client\/node\.ts$)/,
  },
  ...Object.entries({
    'commit|commitSoon': /^src\/supervisor\/kernel\/journal\.ts$/,
    takeSubscriber: /^src\/supervisor\/listening\/durable-subscriber\.ts$/,
    dropSubscriber: /^src\/daemon\/open-traces\.ts$/,
    moveCursor: /^src\/supervisor\/desk\/records\/journal\.ts$/,
    prune: /^src\/supervisor\/upkeep\/retention\.ts$/,
    giveSign: /^src\/daemon\/sign-of-life\.ts$/,
    // Changes nothing: it only tries whether it could.
    checkWrites: /^src\/supervisor\/desk\/look\/daemon\.ts$/,
  }).map(([names, allowed]) => ({
    what: `writes by ${names}: whoever follows a change listens to the journal`,
    pattern: new RegExp(`\\bstore(\\.|\\?\\.)(${names})\\(`),
    allowed,
  })),
  {
    what: 'calls of those who wait for news, beside the journal',
    pattern: /\bwaiters\.wake\(/,
    // A verification on request stores nothing.
    allowed: /^src\/supervisor\/desk\/wait\/rest-checks\.ts$/,
  },
  {
    what: 'writes of a task’s files',
    pattern: /\bwriteTaskFiles\(/,
    // The listener, the catch-up of a new daemon, and the closing acts of an ended task.
    allowed: /^src\/supervisor\/(supervisor|task\/(tidy-task|write-task-files))\.ts$/,
  },
  {
    what: 'looks at a screen because something is to be said: the listener asks for them',
    pattern: /\blookAtScreenToo\(/,
    // A deferred prompt is looked at again when its time has come: nothing is stored then.
    allowed:
      /^src\/supervisor\/(supervisor|listening\/looking|task\/watch-task|triggers\/look-at-triggers)\.ts$/,
  },
  {
    what: 'looks at who waits for a time',
    pattern: /\bwakeAt\(/,
    // A queued task that is held by a gate may be the one to try it.
    allowed: /^src\/supervisor\/(supervisor|task\/core|starting\/schedule)\.ts$/,
  },
  {
    what: 'command lines for people: elsewhere there are kinds and data, of which surfaces make them',
    pattern: new RegExp(`\\bholdfast (<|\\$\\{|(${commandWords.join('|')})\\b)`),
    // The hints of the catalogue are for the command line. The service file says who made it, and is known by that. A
    // woken agent has the command line, too, and so have people who are told something.
    allowed:
      /^src\/((cli|drill)\/|domain\/errors\/|system\/service\/service-file\.ts$|bridge\/(parents\/wake-text|unread\/wake-words)\.ts$|notify\/words\.ts$)/,
  },
  {
    what: 'files and packing: the server asks ports for them',
    pattern: /node:(fs|zlib)\b/,
    allowed: /^src\/(?!server\/)/,
  },
  {
    what: 'names of tmux sessions: the core names a session by its task',
    pattern: /`hf-\$\{(?!number)|tmuxSessionName/,
    allowed: /^src\/tmux\//,
  },
  {
    what: 'schemas of requests: in the small half of zod, a twelfth of the whole',
    pattern: /from 'zod\b/,
    allowed: /^src\/((server\/requests\/schemas|protocol\/refusal)\.ts$|server\/contract\/|mcp\/)/,
  },
  {
    what: 'the libraries of OpenTelemetry: in a file of its own',
    pattern: /from '@opentelemetry\//,
    allowed: /^src\/traces\/otlp\//,
  },
  {
    what: 'JSON schemas of users',
    pattern: /from 'ajv\b/,
    allowed: /^src\/system\/verify\/json-schema\.ts$/,
  },
  {
    what: 'readings of /proc: of processes, and of the boot they count from',
    pattern: /\/proc\/(\$\{pid\}|self\/stat|sys\/kernel)/,
    // The output of a process that nobody else holds any more.
    allowed: /^src\/system\/(processes\/|run-files\/held-events\.ts$)/,
  },
  {
    what: 'codes of failed system calls',
    pattern: /\bErrnoException\b/,
    // Where an error comes as one by its type; and the scripted agent shares nothing with the rooms.
    allowed: /^src\/(daemon\/http-server\.ts|cli\/main\.ts|agents\/scripted\/program\/)/,
  },
  {
    what: 'terminals for programs: native code that may be missing',
    pattern: /'@lydell\/node-pty'/,
    allowed: /^src\/system\/pty\//,
  },
  {
    what: 'WebSockets: routes are given theirs',
    pattern: /^import \{[^}]*\} from 'ws'/m,
    allowed: /^src\/daemon\/upgrades\.ts$/,
  },
  {
    what: 'random ids',
    pattern: /\brandomUUID\(/,
    allowed: /^src\/(system|daemon|agents\/(scripted\/program|opencode\/bridge))\//,
  },
]

/**
 * Sub-rooms: which folder of a room may import which others of its folders, and which files at its top. Files at the top
 * may import all of their room. There are no circles, but through what is loaded lazily. A sub-room with many files has
 * sub-rooms of its own, under its whole path.
 */
export const subRooms: Record<string, Record<string, string[]>> = {
  domain: {
    // The catalogue, which errors.ts knows only by its types.
    errors: [],
    names: ['errors.ts'],
    text: ['errors.ts', 'names'],
    run: ['errors.ts', 'names', 'text'],
    verify: ['errors.ts', 'bad-setting.ts', 'names', 'text'],
    notify: ['names', 'text'],
    settings: ['errors.ts', 'bad-setting.ts', 'names', 'notify', 'text', 'run', 'verify'],
    trigger: ['errors.ts', 'names'],
    task: ['errors.ts', 'names', 'text', 'run', 'verify', 'settings', 'trigger'],
    runtime: ['errors.ts', 'names', 'run', 'task', 'trigger'],
    thread: ['errors.ts', 'names', 'text', 'conversation', 'trigger'],
    journal: ['errors.ts', 'names', 'runtime', 'task', 'thread', 'trigger'],
    conversation: ['errors.ts', 'names', 'text', 'settings', 'task', 'trigger'],
    recovery: ['text', 'task', 'conversation'],
  },
  ports: {
    store: [],
    run: [],
    files: ['store'],
  },
  protocol: {
    json: [],
  },
  system: {
    disk: [],
    processes: ['disk'],
    logs: ['disk'],
    places: ['disk', 'processes'],
    service: ['disk', 'processes'],
    home: ['disk', 'logs'],
    settings: ['clock.ts', 'disk', 'home'],
    'run-files': ['disk', 'processes', 'logs', 'home'],
    tokens: ['disk'],
    web: ['disk'],
    pty: [],
    verify: ['disk', 'processes', 'settings'],
    'work-tree': ['places', 'processes'],
  },
  agents: {
    shared: [],
    claude: ['shared'],
    codex: ['shared'],
    opencode: ['shared'],
    pi: ['shared'],
    scripted: ['shared'],
    custom: ['shared'],
  },
  'agents/scripted/program': {
    script: [],
    playing: ['script'],
    stdin: ['playing'],
    terminal: ['playing'],
  },
  server: {
    requests: [],
    streams: ['context.ts', 'requests'],
    views: [],
    web: ['context.ts', 'via.ts', 'requests'],
    terminal: [],
    contract: ['requests', 'match-route.ts'],
    routes: [
      'context.ts',
      'caller.ts',
      'env-given.ts',
      'reach.ts',
      'ordered.ts',
      'request-key.ts',
      'via.ts',
      'requests',
      'contract',
      'streams',
      'terminal',
      'views',
    ],
  },
  'server/routes': {
    tasks: [],
    agents: [],
    daemon: [],
  },
  tmux: {
    program: [],
    link: ['program'],
    panes: ['program'],
    viewers: ['link', 'panes'],
  },
  store: {
    database: [],
    journal: ['database'],
    tasks: ['database', 'journal'],
    threads: ['audit.ts', 'database', 'journal'],
    notices: ['database', 'journal'],
  },
  cli: {
    wire: [],
    render: [],
    report: [],
    waiting: ['context.ts', 'wire', 'render'],
    starting: ['context.ts', 'commands.ts', 'ask.ts', 'interrupt.ts', 'wire', 'render', 'waiting'],
    doctor: ['context.ts', 'wire', 'starting'],
    top: ['context.ts', 'interrupt.ts', 'wire', 'render'],
    'command-table': ['command.ts', 'commands'],
    commands: [
      'context.ts',
      'commands.ts',
      'help.ts',
      'completion-scripts.ts',
      'ask.ts',
      'interrupt.ts',
      'since.ts',
      'wire',
      'render',
      'report',
      'waiting',
      'starting',
      'doctor',
      'top',
    ],
  },
  'cli/top': {
    screen: [],
    feed: ['monotonic.ts', 'model', 'screen'],
    model: [],
    input: ['model'],
    layout: ['feed', 'input', 'model', 'screen'],
  },
  // How anything is printed, and the words for each thing.
  'cli/render': {
    print: [],
    text: ['print'],
  },
  // The groups of the help page.
  'cli/commands': {
    start: [],
    watch: [],
    answer: [],
    threads: [],
    fix: ['watch'],
    'put-away': [],
    runtime: [],
    orchestrate: [],
    'set-up': [],
  },
  bridge: {
    parents: [],
    operators: [],
    unread: ['participant.ts'],
  },
  notify: {
    inbound: ['compose-message.ts', 'words.ts'],
  },
  delivery: {
    inputs: ['needs.ts'],
    lines: ['needs.ts', 'inputs'],
    typing: ['needs.ts', 'inputs'],
  },
  supervisor: {
    kernel: [],
    listening: ['kernel'],
    task: ['kernel', 'listening'],
    watching: ['kernel', 'task'],
    upkeep: ['kernel', 'task'],
    recovering: ['kernel', 'task', 'watching'],
    verifying: ['kernel', 'task', 'recovering'],
    ending: ['kernel', 'task', 'watching', 'recovering', 'verifying'],
    reading: ['kernel', 'task', 'watching', 'recovering'],
    screens: ['kernel', 'task', 'watching', 'recovering', 'reading'],
    starting: ['kernel', 'task', 'recovering', 'ending'],
    orders: ['kernel', 'task', 'watching', 'recovering', 'verifying', 'ending', 'upkeep'],
    wakes: ['kernel', 'task', 'recovering', 'starting'],
    triggers: ['kernel', 'task', 'wakes'],
    runtimes: ['kernel', 'task', 'recovering', 'upkeep', 'starting', 'orders'],
    desk: [
      'kernel',
      'task',
      'watching',
      'recovering',
      'verifying',
      'upkeep',
      'starting',
      'orders',
      'wakes',
      'runtimes',
    ],
  },
  // By what is asked: to see, to wait, or to change something.
  'supervisor/desk': {
    look: ['needs.ts'],
    wait: ['needs.ts', 'look'],
    tasks: ['needs.ts'],
    runtimes: ['needs.ts', 'look', 'wait'],
    messages: ['needs.ts', 'wait'],
    records: ['needs.ts', 'look'],
  },
}
