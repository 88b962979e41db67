import { useState } from 'react'

/**
 * The Idempotency-Keys of one opened form or dialog, by path (docs/api.md, "Repeated requests"). A key stays until the API says that the
 * request is done: a repeat after a lost response has the same key. After a refusal the API has kept nothing, so the key stays too.
 */
export type Once = Map<string, string>

export const createOnce = (): Once => new Map()

/** The keys of the component that holds the mutation. They end with it: a form that is opened again makes another thing. */
export const useOnce = (): Once => useState(createOnce)[0]

const HEX = 16

/** 128 random bits. `randomUUID` is missing on a console that is opened by plain HTTP. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(HEX)), (byte) => byte.toString(HEX).padStart(2, '0')).join(
    '',
  )

export function keyOf(once: Once, path: string): string {
  const key = once.get(path) ?? randomKey()
  once.set(path, key)
  return key
}

/** After IDEMPOTENCY-2 the user knows that the first try was saved: what they send next is another thing. */
export function noteOutcome(
  once: Once,
  path: string,
  failure: { has: (code: string) => boolean } | undefined,
): void {
  if (!failure || failure.has('IDEMPOTENCY-2')) once.delete(path)
}
