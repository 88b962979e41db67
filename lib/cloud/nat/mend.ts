import type { NatFinding, NatFix } from '#lib/cloud/nat/check.schema'

export type MendProgress = { mended: number; failed: number }

type Page = { collection: readonly NatFinding[]; totalSize: number }

type Mending = {
  /** Reads a page of the findings that are left. */
  read: (startwith: number) => Promise<Page>
  send: (fix: NatFix) => Promise<unknown>
  /** Called after each finding. */
  noted: (progress: MendProgress) => void
  signal: AbortSignal
}

/**
 * Sends the requests of all findings one after the other, until each one was tried. A refusal does not stop it. Throws the first refusal if
 * it fixed nothing.
 */
export async function mendAll({ read, send, noted, signal }: Mending): Promise<MendProgress> {
  const progress = { mended: 0, failed: 0 }
  // Several findings may have the same request.
  const refusals = new Map<string, Error | undefined>()
  const keyOf = ({ method, href }: NatFix): string => `${method} ${href}`

  /** True if the finding is gone. */
  const mend = async (fix: NatFix): Promise<boolean> => {
    const key = keyOf(fix)
    if (!refusals.has(key))
      refusals.set(
        key,
        await send(fix).then(
          () => undefined,
          (error: Error) => error,
        ),
      )
    const isMended = refusals.get(key) === undefined
    progress[isMended ? 'mended' : 'failed'] += 1
    noted({ ...progress })
    return isMended
  }

  // Fixed findings leave the list. The remaining ones are skipped.
  let stayed = 0
  for (let isMore = true; isMore && !signal.aborted; ) {
    const { collection, totalSize } = await read(stayed)
    const tried = new Set(refusals.keys())
    let gone = 0
    for (const { fix } of collection) {
      if (signal.aborted) break
      if (fix && !tried.has(keyOf(fix)) && (await mend(fix))) gone += 1
      else stayed += 1
    }
    isMore = stayed < totalSize - gone
  }
  const [failure] = [...refusals.values()].filter((error) => error !== undefined)
  if (failure && progress.mended === 0) throw failure
  return progress
}
