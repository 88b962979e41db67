import type { z } from 'zod'
import {
  codeInput,
  sessionDocument,
  twoFactorCredentials,
  twoFactorProviderInput,
} from '#lib/auth/session.schema'
import { eventDocument } from '#lib/events/events.schema'
import type { mediaNames } from '#lib/http/view'
import {
  enterpriseDocument,
  privilegeDocument,
  roleDocument,
  userDocument,
} from '#lib/identity/identity.schema'
import {
  datacenterDocument,
  rackDocument,
  remoteServiceDocument,
} from '#lib/infrastructure/datacenters.schema'
import { deviceDocument, deviceTypeDocument } from '#lib/infrastructure/devices.schema'
import { natIpDocument } from '#lib/nat/ips.schema'
import { natNetworkDocument } from '#lib/nat/networks.schema'
import { natRuleDocument } from '#lib/nat/rules.schema'
import { scopeDocument, scopeImpact, scopeTreeNode } from '#lib/scopes/scopes.schema'

/** The schema of each document that the API answers, by the name of its media type. Lists follow from their items. */
export const documents = {
  code: codeInput,
  datacenter: datacenterDocument,
  device: deviceDocument,
  devicetype: deviceTypeDocument,
  enterprise: enterpriseDocument,
  event: eventDocument,
  natip: natIpDocument,
  natnetwork: natNetworkDocument,
  natrule: natRuleDocument,
  privilege: privilegeDocument,
  rack: rackDocument,
  remoteservice: remoteServiceDocument,
  role: roleDocument,
  scope: scopeDocument,
  scopeimpact: scopeImpact,
  scopetreenode: scopeTreeNode,
  session: sessionDocument,
  twofactorauthcredentials: twoFactorCredentials,
  twofactorauthprovider: twoFactorProviderInput,
  user: userDocument,
} as const satisfies Partial<Record<keyof typeof mediaNames | 'scopetreenode', z.ZodObject>>
