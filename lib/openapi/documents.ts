import type { z } from 'zod'
import {
  passkeyCreationOptions,
  passkeyDocument,
  passkeyOptionsInput,
  passkeyRequestOptions,
} from '#lib/caller/auth/passkey.schema'
import {
  codeInput,
  invitation,
  invitationAnswerInput,
  invitationTokenInput,
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
  twoFactorResetRequestInput,
} from '#lib/caller/auth/session.schema'
import { preferencesDocument } from '#lib/caller/preferences/preferences.schema'
import { scopeDocument, scopeImpact, scopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import {
  datacenterDocument,
  locationDocument,
  notKeptDocument,
  rackDocument,
  remoteServiceDocument,
} from '#lib/cloud/infrastructure/datacenters.schema'
import { deviceDocument, deviceTypeDocument } from '#lib/cloud/infrastructure/devices.schema'
import { virtualDatacenterDocument } from '#lib/cloud/infrastructure/virtual-datacenters.schema'
import { virtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import { privateIpDocument } from '#lib/cloud/machines/private-ips.schema'
import { templateDocument } from '#lib/cloud/machines/templates.schema'
import { virtualApplianceDocument } from '#lib/cloud/machines/virtual-appliances.schema'
import { natCheckDocument, natFindingCounts, natFindingDocument } from '#lib/cloud/nat/check.schema'
import { natExplanation, natPacket } from '#lib/cloud/nat/explain.schema'
import { natIpHoldingDocument } from '#lib/cloud/nat/holdings.schema'
import { natIpDocument, natIpPosition, natIpStatesDocument } from '#lib/cloud/nat/ips.schema'
import { addressMapDocument, natNetworkDocument, natUseDocument } from '#lib/cloud/nat/networks.schema'
import { natRuleDocument } from '#lib/cloud/nat/rules.schema'
import { natSetAsideDocument } from '#lib/cloud/nat/set-asides.schema'
import { useHistoryDocument } from '#lib/cloud/nat/use-history.schema'
import {
  deviceChangeDocument,
  deviceStateDocument,
  natTranslationsDocument,
} from '#lib/cloud/translations/translations.schema'
import type { MediaName, mediaNames } from '#lib/ground/http/view'
import { accessTokenDocument } from '#lib/people/access-tokens/access-tokens.schema'
import {
  applicationDocument,
  authorizationDocument,
  consentAnswer,
  consentDocument,
  consentInput,
  signatureFailureDocument,
} from '#lib/people/applications/applications.schema'
import { signInMechanisms, signInTrial } from '#lib/people/federation/mechanisms.schema'
import {
  enterpriseDocument,
  enterpriseProperties,
  privilegeDocument,
  roleDocument,
  roleImpact,
  taskDocument,
  userCountDocument,
  userDocument,
} from '#lib/people/identity/identity.schema'
import { invitationInput } from '#lib/people/identity/users.schema'
import { providerTokens } from '#lib/people/oidc/tokens.schema'
import { scimStatus } from '#lib/people/scim/status.schema'
import { webhookDeliveryDocument, webhookDocument } from '#lib/people/webhooks/webhooks.schema'
import { bulkInput, bulkReport } from '#lib/record/bulk/bulk.schema'
import { eventDocument } from '#lib/record/events/events.schema'
import { eventRowDocument } from '#lib/record/events/rows.schema'
import { eventSummaryDocument } from '#lib/record/events/summary.schema'
import { jobDocument } from '#lib/record/jobs/jobs.schema'
import { accessExplanation, accessQuestion } from '#lib/request/access/access.schema'
import { endDocument } from '#lib/state/ends/ends-list.schema'
import { exportDocument, planDocument } from '#lib/state/plans/plans.schema'
import { searchHit } from '#lib/state/search/search.schema'
import { tagDocument } from '#lib/state/search/tags.schema'

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
  // A location, which has this media type too, is without the notes.
  datacenter: datacenterDocument.partial({ description: true, tags: true }),
  device: deviceDocument,
  devicechange: deviceChangeDocument,
  devicestate: deviceStateDocument,
  devicetype: deviceTypeDocument,
  enterprise: enterpriseDocument,
  enterpriseproperties: enterpriseProperties,
  event: eventDocument,
  eventrow: eventRowDocument,
  eventsummary: eventSummaryDocument,
  export: exportDocument,
  plan: planDocument,
  job: jobDocument,
  invitation,
  invitationanswer: invitationAnswerInput,
  invitationtoken: invitationTokenInput,
  location: locationDocument,
  natcheck: natCheckDocument,
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
  natsetaside: natSetAsideDocument,
  natuse: natUseDocument,
  natusehistory: useHistoryDocument,
  passkey: passkeyDocument,
  passkeycreation: passkeyCreationOptions,
  passkeyoptions: passkeyOptionsInput,
  passkeyrequest: passkeyRequestOptions,
  passwordchange: passwordChangeInput,
  passwordreset: passwordResetInput,
  passwordresetrequest: passwordResetRequestInput,
  twofactorresetrequest: twoFactorResetRequestInput,
  preferences: preferencesDocument,
  privateip: privateIpDocument,
  privilege: privilegeDocument,
  proof: proofInput,
  providertokens: providerTokens,
  rack: rackDocument,
  remoteservice: remoteServiceDocument,
  role: roleDocument,
  roleimpact: roleImpact,
  scimstatus: scimStatus,
  scope: scopeDocument,
  scopeimpact: scopeImpact,
  scopetreenode: scopeTreeNode,
  end: endDocument,
  searchhit: searchHit,
  tag: tagDocument,
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
  userinvitation: invitationInput,
  usersession: sessionItem,
  virtualappliance: virtualApplianceDocument,
  virtualdatacenter: virtualDatacenterDocument,
  virtualmachine: virtualMachineDocument,
  virtualmachinetemplate: templateDocument,
  vlan: notKeptDocument,
  webhook: webhookDocument,
  webhookdelivery: webhookDeliveryDocument,
} as const satisfies Partial<Record<MediaName | NonNullable<(typeof mediaNames)[MediaName]>, z.ZodObject>>
