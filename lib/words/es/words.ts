import { account } from '#lib/words/es/account'
import { applications } from '#lib/words/es/applications'
import { common } from '#lib/words/es/common'
import { datacenters } from '#lib/words/es/datacenters'
import { enterprises } from '#lib/words/es/enterprises'
import { events } from '#lib/words/es/events'
import { translateFault as translate } from '#lib/words/es/faults'
import { forms } from '#lib/words/es/forms'
import { home } from '#lib/words/es/home'
import { labels } from '#lib/words/es/labels'
import { layout } from '#lib/words/es/layout'
import { nat } from '#lib/words/es/nat'
import { palette } from '#lib/words/es/palette'
import { roles } from '#lib/words/es/roles'
import { scopes } from '#lib/words/es/scopes'
import { settings } from '#lib/words/es/settings'
import { signIn } from '#lib/words/es/sign-in'
import { users } from '#lib/words/es/users'

export const words = {
  account,
  applications,
  common,
  datacenters,
  enterprises,
  events,
  forms,
  home,
  labels,
  layout,
  nat,
  palette,
  roles,
  scopes,
  settings,
  signIn,
  users,
}

export const translateFault = translate
