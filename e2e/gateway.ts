import { expect } from 'playwright/test'

export type Report = {
  drift?: readonly { reason: string }[]
  counters?: readonly { rule: number; packets: number; bytes: number }[]
}

/** The parts of the command that the console shows. */
export function partsOf(command: string) {
  const [, token = '', api = '', id = ''] =
    command.match(/GATEWAY_TOKEN='(sat_\w+)'.* --api (\S+) --device (\d+)/s) ?? []
  return { token, api, id }
}

/** Reports as the gateway, with the token of the command that the console shows. */
export async function reportBy(command: string, datacenter: number, report: Report = {}): Promise<void> {
  const { token, api, id } = partsOf(command)
  const answer = await fetch(`${api}/cloud/locations/${datacenter}/devices/${id}/state`, {
    method: 'PUT',
    headers: {
      authorization: `Token ${token}`,
      'content-type': 'application/vnd.service.devicestate+json',
    },
    body: JSON.stringify({ revision: 0, agent: { name: 'gateway', version: '1.2' }, ...report }),
  })
  expect(answer.status).toBe(200)
}
