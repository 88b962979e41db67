import { type DemoUser, oneOfEachRole, openDemo, startOver, tell } from '#lib/tools/scripts/demo-cloud'

const { admin, password, directory, users } = await openDemo()
const { serve } = await import('#lib/server/serve.server')

const work: Record<string, (enterprise: string) => string> = {
  ENTERPRISE_ADMIN: (enterprise) => `manages the users, machines and IPs of ${enterprise}`,
  NETWORK_OPERATOR: (enterprise) => `operates the NAT networks that ${enterprise} uses`,
  USER: (enterprise) => `attaches IPs and writes rules in ${enterprise}`,
}
const line = ({ nick, role, enterprise }: Pick<DemoUser, 'nick' | 'role' | 'enterprise'>) => {
  const says = work[role]
  return says ? [`  ${nick.padEnd(18)} ${says(enterprise)}`] : []
}

await serve({ byName: true })
tell(
  `Sign in with the password: ${password}`,
  `  ${admin.padEnd(18)} administers the whole cloud`,
  ...oneOfEachRole(users).flatMap(line),
  'Begin as the administrator with “The first ten minutes” of README.md, and look at the events.',
  `${startOver}${directory}`,
)
