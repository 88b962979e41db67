import { access } from '#lib/words/en/access'
import { accessTokens } from '#lib/words/en/access-tokens'
import { account } from '#lib/words/en/account'
import { address } from '#lib/words/en/address'
import { applications } from '#lib/words/en/applications'
import { common } from '#lib/words/en/common'
import { datacenters } from '#lib/words/en/datacenters'
import { ends } from '#lib/words/en/ends'
import { enterprises } from '#lib/words/en/enterprises'
import { events } from '#lib/words/en/events'
import { fields } from '#lib/words/en/fields'
import { forms } from '#lib/words/en/forms'
import { gateways } from '#lib/words/en/gateways'
import { home } from '#lib/words/en/home'
import { inventory } from '#lib/words/en/inventory'
import { jobs } from '#lib/words/en/jobs'
import { labels } from '#lib/words/en/labels'
import { layout } from '#lib/words/en/layout'
import { nat } from '#lib/words/en/nat'
import { natCheck } from '#lib/words/en/nat-check'
import { palette } from '#lib/words/en/palette'
import { publish } from '#lib/words/en/publish'
import { roles } from '#lib/words/en/roles'
import { scopes } from '#lib/words/en/scopes'
import { settings } from '#lib/words/en/settings'
import { signIn } from '#lib/words/en/sign-in'
import { users } from '#lib/words/en/users'
import { webhooks } from '#lib/words/en/webhooks'
import type { TranslateFault } from '#lib/words/translation'

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
} as const

/** The API speaks English. */
export const translateFault: TranslateFault = ({ message }) => ({ text: message })
