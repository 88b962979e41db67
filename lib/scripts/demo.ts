process.env.DATA_DIR ??= './data/demo'
process.env.ADMIN_PASSWORD ??= 'demo demo demo'
const { database } = await import('#lib/db/db.server')
const { sampleCloud } = await import('#lib/sample/cloud.server')
const { prepare } = await import('#lib/server/prepare.server')
const { serve } = await import('#lib/server/serve.server')

const { ADMIN_NICK, ADMIN_PASSWORD = '' } = await prepare()
const { read } = database()
if (!(await read.selectFrom('datacenters').select('id').limit(1).executeTakeFirst()))
  await sampleCloud(ADMIN_PASSWORD)

const signIns = await read
  .selectFrom('users')
  .innerJoin('roles', 'roles.id', 'users.role_id')
  .where('users.active', '=', 1)
  .where('roles.name', 'in', ['ENTERPRISE_ADMIN', 'NETWORK_OPERATOR', 'USER'])
  .select((select) => ['roles.name as role', select.fn.min('users.nick').as('nick')])
  .groupBy('roles.name')
  .orderBy('roles.name')
  .execute()
await serve()
process.stdout.write(
  `Sign in as ${ADMIN_NICK}${signIns.map(({ nick, role }) => `, ${nick} (${role})`).join('')}\n`,
)
process.stdout.write(`The password of each is: ${ADMIN_PASSWORD}\n`)
