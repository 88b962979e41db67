import type { z } from 'zod'
import { accessExplanation, accessQuestion } from '#lib/access/access.schema'
import { accessTokenDocument } from '#lib/access-tokens/access-tokens.schema'
import {
  applicationDocument,
  authorizationDocument,
  consentAnswer,
  consentDocument,
  consentInput,
  signatureFailureDocument,
} from '#lib/applications/applications.schema'
import {
  passkeyCreationOptions,
  passkeyDocument,
  passkeyOptionsInput,
  passkeyRequestOptions,
} from '#lib/auth/passkey.schema'
import {
  codeInput,
  passwordChangeInput,
  passwordResetInput,
  passwordResetRequestInput,
  proofInput,
  sessionDocument,
  sessionItem,
  signInWays,
  twoFactorCredentials,
  twoFactorProviderInput,
  twoFactorReset,
} from '#lib/auth/session.schema'
import { bulkInput, bulkReport } from '#lib/bulk/bulk.schema'
import { eventDocument } from '#lib/events/events.schema'
import { eventSummaryDocument } from '#lib/events/summary.schema'
import { signInMechanisms, signInTrial } from '#lib/federation/mechanisms.schema'
import type { MediaName, mediaNames } from '#lib/http/view'
import {
  enterpriseDocument,
  enterpriseProperties,
  privilegeDocument,
  roleDocument,
  roleImpact,
  taskDocument,
  userCountDocument,
  userDocument,
} from '#lib/identity/identity.schema'
import {
  datacenterDocument,
  locationDocument,
  notKeptDocument,
  rackDocument,
  remoteServiceDocument,
} from '#lib/infrastructure/datacenters.schema'
import { deviceDocument, deviceTypeDocument } from '#lib/infrastructure/devices.schema'
import { virtualDatacenterDocument } from '#lib/infrastructure/virtual-datacenters.schema'
import { virtualMachineDocument } from '#lib/machines/machines.schema'
import { privateIpDocument } from '#lib/machines/private-ips.schema'
import { templateDocument } from '#lib/machines/templates.schema'
import { virtualApplianceDocument } from '#lib/machines/virtual-appliances.schema'
import { natFindingCounts, natFindingDocument } from '#lib/nat/check.schema'
import { natExplanation, natPacket } from '#lib/nat/explain.schema'
import { natIpHoldingDocument } from '#lib/nat/holdings.schema'
import { natIpDocument, natIpPosition, natIpStatesDocument } from '#lib/nat/ips.schema'
import { addressMapDocument, natNetworkDocument, natUseDocument } from '#lib/nat/networks.schema'
import { natRuleDocument } from '#lib/nat/rules.schema'
import { useHistoryDocument } from '#lib/nat/use-history.schema'
import { providerTokens } from '#lib/oidc/tokens.schema'
import { exportDocument, planDocument } from '#lib/plans/plans.schema'
import { preferencesDocument } from '#lib/preferences/preferences.schema'
import { scopeDocument, scopeImpact, scopeTreeNode } from '#lib/scopes/scopes.schema'
import { searchHit } from '#lib/search/search.schema'
import {
  deviceChangeDocument,
  deviceStateDocument,
  natTranslationsDocument,
} from '#lib/translations/translations.schema'
import { webhookDeliveryDocument, webhookDocument } from '#lib/webhooks/webhooks.schema'

/** The schema of each document of the API, by media type name. Lists are derived from their items. */
export const documents = {
  accessexplanation: accessExplanation,
  accessquestion: accessQuestion,
  addressmap: addressMapDocument,
  accesstoken: accessTokenDocument,
  application: applicationDocument,
  authorization: authorizationDocument,
  bulkchange: bulkInput,
  bulkreport: bulkReport,
  code: codeInput,
  consent: consentDocument,
  consentanswer: consentInput,
  consentdestination: consentAnswer,
  datacenter: datacenterDocument,
  device: deviceDocument,
  devicechange: deviceChangeDocument,
  devicestate: deviceStateDocument,
  devicetype: deviceTypeDocument,
  enterprise: enterpriseDocument,
  enterpriseproperties: enterpriseProperties,
  event: eventDocument,
  eventsummary: eventSummaryDocument,
  export: exportDocument,
  plan: planDocument,
  location: locationDocument,
  natexplanation: natExplanation,
  natfinding: natFindingDocument,
  natfindingcounts: natFindingCounts,
  natip: natIpDocument,
  natipholding: natIpHoldingDocument,
  nattranslations: natTranslationsDocument,
  natipposition: natIpPosition,
  natipstates: natIpStatesDocument,
  natnetwork: natNetworkDocument,
  natpacket: natPacket,
  natrule: natRuleDocument,
  natuse: natUseDocument,
  natusehistory: useHistoryDocument,
  passkey: passkeyDocument,
  passkeycreation: passkeyCreationOptions,
  passkeyoptions: passkeyOptionsInput,
  passkeyrequest: passkeyRequestOptions,
  passwordchange: passwordChangeInput,
  passwordreset: passwordResetInput,
  passwordresetrequest: passwordResetRequestInput,
  preferences: preferencesDocument,
  privateip: privateIpDocument,
  privilege: privilegeDocument,
  proof: proofInput,
  providertokens: providerTokens,
  rack: rackDocument,
  remoteservice: remoteServiceDocument,
  role: roleDocument,
  roleimpact: roleImpact,
  scope: scopeDocument,
  scopeimpact: scopeImpact,
  scopetreenode: scopeTreeNode,
  searchhit: searchHit,
  session: sessionDocument,
  signaturefailure: signatureFailureDocument,
  signinmechanisms: signInMechanisms,
  signintrial: signInTrial,
  signinways: signInWays,
  task: taskDocument,
  tier: notKeptDocument,
  twofactorauthcredentials: twoFactorCredentials,
  twofactorauthprovider: twoFactorProviderInput,
  twofactorreset: twoFactorReset,
  user: userDocument,
  usercount: userCountDocument,
  usersession: sessionItem,
  virtualappliance: virtualApplianceDocument,
  virtualdatacenter: virtualDatacenterDocument,
  virtualmachine: virtualMachineDocument,
  virtualmachinetemplate: templateDocument,
  vlan: notKeptDocument,
  webhook: webhookDocument,
  webhookdelivery: webhookDeliveryDocument,
} as const satisfies Partial<Record<MediaName | NonNullable<(typeof mediaNames)[MediaName]>, z.ZodObject>>
