import { filled, inOrderOf, marks, pageText, type Route, SIZE, startOf } from '#lib/tools/bench/floor/answers'
import {
  ENTERPRISE,
  type Enterprise,
  type Entity,
  EVENT,
  type Event,
  enterpriseText,
  eventText,
  SCOPE,
  type Scope,
  scopeText,
  USER,
  type User,
  userText,
} from '#lib/tools/bench/floor/documents'
import type { File } from '#lib/tools/bench/floor/file'
import { NETWORK, type Network, networkText } from '#lib/tools/bench/floor/nat-documents'

/* Reads of the floor: single resources, and pages of short lists. */

type ShortList<Row> = {
  path: RegExp
  by: string
  table: string
  where?: string
  select: string
  order: string
  texts: (api: string, rows: Row[]) => string[]
}

/** Pages of a list. A variable part of the path is the place of the rows. */
function shortList<Row extends unknown[]>({ prepare, total }: File, list: ShortList<Row>): Route {
  const { path, by, table, where = '', select, order, texts } = list
  const count = prepare<[number]>(`select count(*) from ${table} ${where}`)
  const read = prepare<Row>(`${select} ${where} order by ${order} limit ${SIZE} offset ?`)
  return {
    method: 'GET',
    path,
    isList: true,
    answer: ({ api, path: asked, ids, query }) => {
      const all = total(`${table} ${ids.join()}`, () => count(...ids))
      const start = startOf(query, all)
      const items = texts(api, read(...ids, start))
      return { text: pageText({ path: `${api}${asked}`, by, total: all, start, items }) }
    },
  }
}

export function pages(file: File): Route[] {
  const { prepare } = file
  const entities = (count: number) =>
    prepare<Entity>(`select id, scope_id, enterprise_id, datacenter_id from scope_entities
      where scope_id in ${marks(count)} order by id`)
  const [entitiesOfOne, entitiesOfPage] = [entities(1), entities(SIZE)]
  const scope = prepare<Scope>(`${SCOPE} where scopes.id = ?`)
  const user = prepare<User>(`${USER} where users.id = ?`)
  const events = prepare<Event>(`${EVENT} where events.id in ${marks(SIZE)}`)
  const one = (text: string | undefined) => (text === undefined ? undefined : { text })
  return [
    {
      method: 'GET',
      path: /^\/login$/,
      answer: ({ api, caller }) => one(user(caller.id).map((row) => userText(api, row))[0]),
    },
    {
      method: 'GET',
      path: /^\/admin\/scopes\/(\d+)$/,
      answer: ({ api, ids: [id = 0] }) =>
        one(scope(id).map((row) => scopeText(api, row, entitiesOfOne(id)))[0]),
    },
    shortList<Scope>(file, {
      path: /^\/admin\/scopes$/,
      by: 'name',
      table: 'scopes',
      select: SCOPE,
      order: 'scopes.name_key, scopes.id',
      texts: (api, rows) => {
        const own = entitiesOfPage(...filled(rows))
        return rows.map((row) => scopeText(api, row, own))
      },
    }),
    shortList<Network>(file, {
      path: /^\/admin\/datacenters\/(\d+)\/natnetworks$/,
      by: 'name',
      table: 'nat_networks',
      where: 'where nat_networks.datacenter_id = ?',
      select: NETWORK,
      order: 'nat_networks.name_key, nat_networks.id',
      texts: (api, rows) => rows.map((row) => networkText(api, row)),
    }),
    shortList<User>(file, {
      path: /^\/admin\/enterprises\/_\/users$/,
      by: 'nick',
      table: 'users',
      select: USER,
      order: 'users.nick_key, users.id',
      texts: (api, rows) => rows.map((row) => userText(api, row)),
    }),
    shortList<Enterprise>(file, {
      path: /^\/admin\/enterprises$/,
      by: 'name',
      table: 'enterprises',
      select: ENTERPRISE,
      order: 'enterprises.name_key, enterprises.id',
      texts: (api, rows) => rows.map((row) => enterpriseText(api, row)),
    }),
    shortList<[id: number]>(file, {
      path: /^\/events$/,
      by: 'timestamp',
      table: 'events',
      select: 'select events.id from events',
      order: 'events.timestamp, events.id',
      texts: (api, ids) => inOrderOf(ids, events(...filled(ids))).map((row) => eventText(api, row)),
    }),
  ]
}
