/** `allowRemote`: the caller knows that other machines can reach the address. */
export type DoorAsk = {
  readonly port: number | undefined
  readonly host: string | undefined
  readonly allowRemote: boolean
}

/** `trouble`: why the door is shut although it should be open. */
export type DoorState = {
  readonly open: { readonly host: string; readonly port: number } | null
  readonly trouble: string | null
}

/** The TCP port on which the daemon serves the page and the API. */
export interface WebDoor {
  state(): DoorState
  /**
   * Opens it, and remembers that for the next daemon. An open one stays as it is, when it is where it was asked for;
   * otherwise it moves. PORT_TAKEN and NOT_LOOPBACK leave it as it was.
   */
  open(ask: DoorAsk): Promise<DoorState>
  /** False when it was not open. It stays shut after a restart, unless the settings name a port. */
  close(): Promise<boolean>
}
