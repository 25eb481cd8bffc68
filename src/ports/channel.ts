// Owns what is asked of a channel by which people are told, and may answer.
import type { NoticeKind } from '../domain/notify/notice.ts'
import type { Counting } from '../domain/text/sized-text.ts'

/** A button of a question. Whoever brings back the ticket gives this answer. */
export type Button = { readonly label: string; readonly ticket: string }

export type NoticeToSend = {
  readonly id: string
  readonly kind: NoticeKind
  readonly sessionId: string | null
  /** One line. */
  readonly title: string
  readonly text: string
  readonly at: number
  /** Null for what is no question, or is one no more. */
  readonly question: { readonly number: number; readonly options: readonly string[] } | null
  /** Only where an answer can come back. */
  readonly buttons: readonly Button[]
  /** There is no room for its text: it is one line, with its title and its session. */
  readonly isBrief: boolean
}

/** How much a message of a channel takes. What does not fit is told by the next one. */
export type Room = {
  readonly counting: Counting
  /** All of its words, with the labels of its buttons. */
  readonly size: number
  /** The words of one notice. */
  readonly each: number
  readonly notices: number
  /** Of those, with their text. */
  readonly inFull: number
  readonly buttons: number
  /** What a notice and a button take besides their words. */
  readonly perNotice: number
  readonly perButton: number
}

/** One or more notices that are sent at once. */
export type ChannelMessage = {
  /** The same for every try. */
  readonly id: string
  /** One line for all of them. */
  readonly title: string
  readonly notices: readonly NoticeToSend[]
}

/** `later`: to be tried again, not before `afterMs`. `too_big`: it may work in parts. `never`: it will not work as it is. */
export type Outcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later'; readonly why: string; readonly afterMs?: number }
  | { readonly kind: 'too_big'; readonly why: string }
  | { readonly kind: 'never'; readonly why: string }

/** What somebody did there: pressed a button, or wrote a command. */
export type Said = {
  /** As the channel calls them. */
  readonly user: string
  /** The same when the channel brings it again; empty when it does not tell. */
  readonly key: string
  readonly what:
    | { readonly kind: 'button'; readonly ticket: string }
    | { readonly kind: 'command'; readonly text: string }
}

export type InboundRequest = {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came of it, in words for whoever said it. */
export type Reply = { readonly done: boolean; readonly words: string }

/** What the channel is answered over HTTP. */
export type InboundReply = { readonly status: number; readonly type: string; readonly body: string }

/** `reply`: for the channel itself, without anybody having said anything. */
export type Received =
  | { readonly kind: 'reply'; readonly reply: InboundReply }
  | {
      readonly kind: 'said'
      readonly said: Said
      /** Whom the channel lets act; false when this user may not. */
      readonly isAllowed: boolean
      /** Tells them what came of it. */
      readonly answer: (reply: Reply) => Promise<InboundReply>
    }

/** Who of several receivers has a message: those are not told again because others could not be. */
export type Receipts = {
  readonly taken: ReadonlySet<string>
  /** Called as soon as one has it; never throws. */
  take(receiver: string): Promise<void>
}

export interface Channel {
  readonly name: string
  readonly type: string
  /** Buttons of this channel can be pressed: their tickets come back. */
  readonly canAnswer: boolean
  readonly room: Room
  /** Why nothing can be sent by it now, such as a secret that is missing; null when all is well. */
  problem(): Promise<string | null>
  /** Never throws. */
  send(message: ChannelMessage, receipts: Receipts): Promise<Outcome>
  /** Absent where nobody can answer by HTTP. INBOUND_REFUSED when the request is not signed as it should be. */
  receive?(request: InboundRequest): Promise<Received>
  /** Absent unless it has to be asked what was said. Goes on until the signal is aborted; never throws. */
  listen?(hear: (said: Said) => Promise<Reply>, stop: AbortSignal): Promise<void>
}

/** What the answer buttons of notices carry. Nobody else can make one. */
export interface Tickets {
  sign(noticeId: string, option: number): string
  /** Undefined for one that is not ours. */
  read(ticket: string): { readonly noticeId: string; readonly option: number } | undefined
}
