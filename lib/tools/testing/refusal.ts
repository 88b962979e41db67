import { codesOf } from '#lib/tools/testing/client'

/** The status and the codes of a refusal: `[409, 'SCOPE-0']`. */
export async function refusal(answer: Promise<Response>): Promise<[status: number, ...codes: string[]]> {
  const response = await answer
  return [response.status, ...(await codesOf(response))]
}
