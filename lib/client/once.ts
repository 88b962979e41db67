import { useState } from 'react'

/**
 * The Idempotency-Keys of one opened form or dialog, by path (docs/api/responses.md, "Repeated requests"). A key stays until the API reports success,
 * so a repeat after a lost response has the same key. After a refusal the API has stored nothing, so the key stays too.
 */
export type Once = Map<string, string>

export const createOnce = (): Once => new Map()

/** The keys of the component that holds the mutation, for its lifetime: a form that is opened again creates another resource. */
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

/** After IDEMPOTENCY-2 the user knows that the first attempt was saved. The next request creates another resource. */
export function noteOutcome(
  once: Once,
  path: string,
  failure: { has: (code: string) => boolean } | undefined,
): void {
  if (!failure || failure.has('IDEMPOTENCY-2')) once.delete(path)
}
