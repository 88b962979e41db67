import { matchPath } from 'react-router'

/** The document, and the heading in it, that explains a screen and the screens below it. The first match counts. */
export const helpTopics: readonly [screen: string, document: string][] = [
  ['/account/two-factor', 'api/two-factor#two-factor-authentication'],
  ['/account/applications/*', 'concepts#application-and-grant'],
  ['/account/tokens/*', 'concepts#access-token'],
  ['/consent', 'concepts#application-and-grant'],
  ['/account/*', 'concepts#user'],
  ['/api-reference', 'api'],
  ['/events', 'concepts#event'],
  ['/plans/*', 'api/plans#plans'],
  ['/settings', 'settings'],
  ['/settings/webhooks/*', 'api/webhooks'],
  ['/scopes/*', 'concepts#scope'],
  ['/enterprises/:enterprise/users/:user/tokens/*', 'concepts#access-token'],
  ['/enterprises/:enterprise/users/:user/*', 'concepts#user'],
  ['/enterprises/*', 'concepts#enterprise'],
  ['/users/*', 'concepts#user'],
  ['/roles/*', 'concepts#privilege-and-role'],
  ['/nat/networks/*', 'concepts#nat-network'],
  ['/nat/ips', 'concepts#nat-ip'],
  ['/nat/rules', 'concepts#nat-rule'],
  ['/datacenters/:datacenter/natips', 'concepts#nat-ip'],
  ['/datacenters/:datacenter/natrules', 'concepts#nat-rule'],
  ['/datacenters/:datacenter/natnetworks/*', 'concepts#nat-network'],
  ['/datacenters/:datacenter/devices/*', 'gateway'],
  ['/datacenters/*', 'concepts#datacenter'],
]

/** The help for a screen's address; undefined if no document explains the screen. */
export const helpFor = (pathname: string): string | undefined =>
  helpTopics.find(([screen]) => matchPath(screen, pathname))?.[1]
