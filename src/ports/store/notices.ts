// Owns what is asked of the store about notices and their deliveries, and how they are written.
import type { Delivery, DeliveryState, Notice, NoticeDraft } from '../../domain/notify/notice.ts'

/** The parts of a change that concern notices. */
export type NoticeChange = {
  /** One that is there already stays as it is. */
  readonly notices?: readonly NoticeDraft[]
  /** Nobody is told of them any more. Those that are bound stay as they are. */
  readonly dropNotices?: { readonly ids: readonly string[]; readonly why: string }
  /** A new delivery tells of these. TRANSITION_CONFLICT when one of them is bound or dropped already. */
  readonly bindNotices?: {
    readonly id: string
    readonly channel: string
    readonly notices: readonly string[]
    readonly at: number
  }
  /**
   * Instead of this delivery there are several, which tell of its notices. Who has it, has them. TRANSITION_CONFLICT when a
   * try of it was stored meanwhile.
   */
  readonly splitDelivery?: {
    readonly id: string
    /** How often it was tried before. */
    readonly before: number
    readonly parts: readonly {
      readonly id: string
      readonly notices: readonly string[]
      readonly nextAt: number
    }[]
  }
  /** One of several receivers has it. */
  readonly taken?: { readonly id: string; readonly receiver: string }
  /** What came of a try. TRANSITION_CONFLICT when another try was stored meanwhile. */
  readonly tried?: {
    readonly id: string
    readonly channel: string
    /** How often it was tried before. */
    readonly before: number
    readonly state: DeliveryState
    readonly nextAt: number
    readonly error: string | null
    readonly at: number
  }
  /** A person wants what this node has set aside to be tried again. */
  readonly retryNotices?: { readonly channel: string; readonly at: number }
}

export type BoundDelivery = Delivery & { readonly notices: readonly Notice[] }

/** A notice, and how far its delivery is. */
export type LoggedNotice = Notice & { readonly delivery: Delivery | null }

export type ChannelCounts = {
  readonly channel: string
  /** Not told yet. */
  readonly waiting: number
  readonly setAside: number
  readonly lastSentAt: number | null
  /** Of the delivery that is being tried, or that was set aside last. */
  readonly lastError: string | null
}

export interface NoticeReads {
  notice(id: string): Promise<Notice | undefined>
  /** Those of a channel of this node that are bound to no delivery: the most urgent first, then the oldest. */
  unboundNotices(channel: string, most: number): Promise<Notice[]>
  /** The oldest delivery of a channel that this node has still to make, and that none of its receivers has. */
  nextDelivery(channel: string): Promise<BoundDelivery | undefined>
  /** Of those that some of its receivers have, and others not yet: the one that is tried again first. */
  nextRemainder(channel: string): Promise<BoundDelivery | undefined>
  /** Channels of this node with something unbound, or with a delivery that it has still to make. */
  channelsToTell(): Promise<string[]>
  /** Newest first. `before`: only those older than this notice. */
  noticeLog(ask: {
    readonly channel?: string
    readonly most: number
    readonly before?: Pick<Notice, 'at' | 'id'>
  }): Promise<LoggedNotice[]>
  /** Of these channels of this node, and of those that have something left over. */
  noticeCounts(channels: readonly string[]): Promise<ChannelCounts[]>
}
