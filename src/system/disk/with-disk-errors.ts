import { asDiskError } from '../../domain/system-error.ts'

/** Runs `act`; an error of the disk becomes a HoldfastError that names the path. */
export async function withDiskErrors<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw asDiskError(error, path)
  }
}
