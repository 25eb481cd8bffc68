// What can go wrong with notifications and with answers to them. A part of the catalogue.

export const notifyErrors = {
  CHANNEL_NOT_FOUND: {
    exit: 1,
    http: 404,
    hint: 'See the channels with `holdfast notify channels`. One that you have just set up counts after `holdfast down && holdfast up`; docs/notifications.md shows how to set one up.',
  },
  CHANNEL_FAILED: {
    exit: 2,
    http: 502,
    hint: 'Correct the settings of the channel, then try again with `holdfast notify test <channel>`.',
  },
  INBOUND_REFUSED: {
    exit: 1,
    http: 401,
    hint: 'The request has to be signed as docs/notifications.md shows for its channel.',
  },
} as const
