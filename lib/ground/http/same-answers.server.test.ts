import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { admin, call, ORIGIN, type User } from '#lib/tools/testing/client'
import { natSample } from '#lib/tools/testing/nat-sample'

/*
 * Answers that were recorded before the pipeline was made faster: 1,176 of them, as one digest for each address. Where answers
 * change on purpose, `vitest --update` records them again.
 */

const orders = {
  ips: ['ip', 'network', 'available', 'virtualdatacenter', 'enterprise'],
  rules: ['ip', 'protocol'],
  networks: ['name', 'id'],
}

const pages = [
  'limit=25',
  'limit=3&startwith=2',
  'limit=2&startwith=9&asc=false',
  'startwith=99&limit=4',
  'limit=0',
  'has=0.1&limit=5',
  'has=none such',
  'limit=x',
]

const searches = (by: readonly string[]) =>
  by.flatMap((each) => pages.map((page) => `?by=${each}&${page}`)).concat('', '?has=%C3%A9', '?limit=7&asc=0')

/** Ids and serial names differ from database to database: each becomes the number of its first appearance. */
function stable() {
  const seen = new Map<string, string>()
  const ordinal = (text: string) => {
    const known = seen.get(text) ?? `#${seen.size}`
    seen.set(text, known)
    return known
  }
  return (text: string) =>
    text
      .replace(/\d+-\d+(?=["<&,])/g, ordinal)
      .replace(
        /(\w+\/|"id":|<id>|idResource(?:":|>)|_id=)(\d+)(?![\d.:])/g,
        (_, before, id) => before + ordinal(before + id),
      )
}

const formats = ['application/json', 'application/xml', 'text/xml;q=0.1, application/json;q=0.2', '*/*']

const ownToEach = /^(x-service-token|set-cookie|date|x-request-id|etag|content-length)$/

async function recorded(paths: readonly string[], as: User): Promise<string> {
  const digest = createHash('sha256')
  for (const path of paths)
    for (const accept of formats) {
      // Afresh for each answer: a network and its datacenter may have the same id, or not.
      const known = stable()
      const response = await call('GET', path, { as, headers: { accept } })
      const head = [...response.headers].filter(([name]) => !ownToEach.test(name))
      const answer = `${response.status} ${JSON.stringify(head)} ${await response.text()}\n`
      digest.update(known(answer.replaceAll(ORIGIN, 'http://console.test')))
    }
  return digest.digest('base64url')
}

test('answers are the same as before, byte for byte', async () => {
  const { datacenter, networks, limited } = await natSample()
  const center = `/api/admin/datacenters/${datacenter.id}`
  const four = `${center}/natnetworks/${networks.four.id}`
  const lists: [string, readonly string[]][] = [
    [`${center}/natnetworks/action/allips`, orders.ips],
    [`${center}/natnetworks/action/allrules`, orders.rules],
    [`${four}/ips`, orders.ips],
    [`${center}/natnetworks`, orders.networks],
    [`/api/admin/enterprises/${limited.enterpriseId}/users`, ['nick', 'id']],
  ]
  const answers: string[] = []
  for (const as of [admin, limited]) {
    for (const [path, by] of lists) {
      const paths = searches(by).map((search) => path + search)
      answers.push(
        `${as === admin ? 'admin' : 'limited'} ${path.replaceAll(/\d+/g, '1')} ${await recorded(paths, as)}`,
      )
    }
    const single = [center, four, `${center}/natnetworks/999999`, `${four}/ips/x`]
    answers.push(`${as === admin ? 'admin' : 'limited'} single ${await recorded(single, as)}`)
  }
  expect(answers).toMatchInlineSnapshot(`
    [
      "admin /api/admin/datacenters/1/natnetworks/action/allips s_sqGVzN4YtplKU971d7Z4_Osrf0-GqZGKjzbCvT1Z0",
      "admin /api/admin/datacenters/1/natnetworks/action/allrules Av8BXKVlWbuUxvqO1ixSrgKa-Tjq52Uf0UckQ7pxyBo",
      "admin /api/admin/datacenters/1/natnetworks/1/ips KUPVE7HJ0NuRsfERDpG7FC_pQDnK2yt5C1G0tB2hHWM",
      "admin /api/admin/datacenters/1/natnetworks QRcTYuj_jLD6hunr8n1Y0cpp2Gz5QXJ3Yyx6ensw9uc",
      "admin /api/admin/enterprises/1/users xcbm9101kF1g5Vb29DxYjRn586O14He4jrmz8HpuIWU",
      "admin single g1aiPbH5GO6JtBNRGSRZmEfwWvcRIxtVa1Cbb19McAs",
      "limited /api/admin/datacenters/1/natnetworks/action/allips JaYwmtZv_hoxMHjwGJBKicC4Tltu98KchiHPOnl6Bx4",
      "limited /api/admin/datacenters/1/natnetworks/action/allrules nAcRRO14u8NTsM7662PgFazz4UfLfOT4npcssKKOSTE",
      "limited /api/admin/datacenters/1/natnetworks/1/ips KUPVE7HJ0NuRsfERDpG7FC_pQDnK2yt5C1G0tB2hHWM",
      "limited /api/admin/datacenters/1/natnetworks QRcTYuj_jLD6hunr8n1Y0cpp2Gz5QXJ3Yyx6ensw9uc",
      "limited /api/admin/enterprises/1/users xcbm9101kF1g5Vb29DxYjRn586O14He4jrmz8HpuIWU",
      "limited single g1aiPbH5GO6JtBNRGSRZmEfwWvcRIxtVa1Cbb19McAs",
    ]
  `)
}, 60_000)
