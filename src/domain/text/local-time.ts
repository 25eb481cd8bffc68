/** A time for people who may be elsewhere: `Wed, 18 Nov, 02:13 UTC`, in the zone of this machine. */
export const localTime = (at: number): string => FORMAT.format(at)

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})
