import { access } from '#lib/words/es/access'
import { accessTokens } from '#lib/words/es/access-tokens'
import { account } from '#lib/words/es/account'
import { address } from '#lib/words/es/address'
import { applications } from '#lib/words/es/applications'
import { common } from '#lib/words/es/common'
import { datacenters } from '#lib/words/es/datacenters'
import { ends } from '#lib/words/es/ends'
import { enterprises } from '#lib/words/es/enterprises'
import { events } from '#lib/words/es/events'
import { translateFault as translate } from '#lib/words/es/faults'
import { fields } from '#lib/words/es/fields'
import { forms } from '#lib/words/es/forms'
import { gateways } from '#lib/words/es/gateways'
import { home } from '#lib/words/es/home'
import { inventory } from '#lib/words/es/inventory'
import { jobs } from '#lib/words/es/jobs'
import { labels } from '#lib/words/es/labels'
import { layout } from '#lib/words/es/layout'
import { nat } from '#lib/words/es/nat'
import { natCheck } from '#lib/words/es/nat-check'
import { palette } from '#lib/words/es/palette'
import { publish } from '#lib/words/es/publish'
import { roles } from '#lib/words/es/roles'
import { scopes } from '#lib/words/es/scopes'
import { settings } from '#lib/words/es/settings'
import { signIn } from '#lib/words/es/sign-in'
import { users } from '#lib/words/es/users'
import { webhooks } from '#lib/words/es/webhooks'

export const words = {
  accessTokens,
  access,
  account,
  address,
  applications,
  common,
  datacenters,
  ends,
  enterprises,
  events,
  fields,
  forms,
  gateways,
  home,
  inventory,
  jobs,
  labels,
  layout,
  nat,
  natCheck,
  palette,
  publish,
  roles,
  scopes,
  settings,
  signIn,
  users,
  webhooks,
}

export const translateFault = translate
