import { asDiskError } from '../../domain/system-error.ts'

/** Does it, with disk errors in our words. */
export async function withDiskErrors<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw asDiskError(error, path)
  }
}
