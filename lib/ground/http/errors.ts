/** Faults of the operations that an undo repeats in reverse, so the undo can report them too. */
const ofChanges = {
  'SCOPE-0': [409, 'A scope with this name already exists', 'name'],
  'SCOPE-1': [404, 'The requested scope does not exist'],
  'SCOPE-2': [409, 'The global scope cannot be deleted'],
  'SCOPE-3': [409, 'The global scope cannot be modified'],
  'SCOPE-5': [409, 'The scope cannot be deleted: roles are associated with it'],
  'SCOPE-7': [400, 'Invalid scope entity', 'scopeEntities'],
  'SCOPE-8': [
    409,
    'The enterprise cannot be removed from the scope: its users have this scope',
    'scopeEntities',
  ],
  'SCOPE-10': [
    409,
    'The enterprise cannot be removed from the scope: a virtual machine template is used by virtual machines in that enterprise',
    'scopeEntities',
  ],
  'SCOPE-11': [
    409,
    'The scope cannot be deleted: a template shared through it is used by virtual machines in another enterprise',
  ],
  'SCOPE-12': [409, 'The scope cannot be deleted: it is the default scope of an enterprise'],
  'SCOPE-13': [
    409,
    'The enterprise cannot be removed from the scope: the scope is the default for that enterprise',
    'scopeEntities',
  ],
  'SCOPE-15': [409, 'The user cannot be created: the scope does not contain their enterprise', 'scope'],
  'SCOPE-16': [409, 'The user cannot be modified: the scope does not contain their enterprise', 'scope'],
  'SCOPE-17': [409, 'The scope cannot be deleted: users are associated with it'],
  'SCOPE-18': [
    409,
    'Invalid parent scope: the parent cannot be the scope itself or one of its descendants',
    'scopeParent',
  ],
  'SCOPE-19': [409, 'The scope cannot be deleted: it is the parent of other scopes'],
  'SCOPE-20': [409, 'An unlimited scope cannot have a parent', 'scopeParent'],
  'SCOPE-21': [403, 'Only users with an unlimited scope may make a scope unlimited'],
  'NAT-NET-0': [409, 'A NAT network with this name already exists in the datacenter', 'name'],
  'NAT-NET-1': [404, 'The NAT network was not found'],
  'NAT-NET-2': [409, 'The device does not support NAT', 'device'],
  'NAT-NET-3': [400, 'A NAT network requires a device link', 'device'],
  'NAT-NET-4': [409, 'The NAT network has IPs: it cannot be deleted, and its CIDR and device cannot change'],
  'NAT-NET-5': [400, 'Invalid format for the network CIDR', 'cidr'],
  'NAT-NET-6': [409, 'The CIDR overlaps another NAT network of the same device', 'cidr'],
  'NAT-IP-0': [404, 'The NAT IP was not found'],
  'NAT-IP-3': [409, 'The NAT IP has rules'],
  'NAT-IP-4': [409, 'The NAT IP cannot be made unavailable: it has rules', 'available'],
  'NAT-IP-5': [409, 'The network does not have enough free IPs'],
  'NAT-IP-8': [409, 'The NAT IP is not assigned to this virtual datacenter'],
  'NAT-IP-9': [400, 'The IP is outside the CIDR of the network', 'ip'],
  'NAT-IP-10': [409, 'The NAT IP already exists', 'ip'],
  'NAT-IP-12': [409, 'The NAT IP cannot be deleted while it is attached to a virtual datacenter'],
  'NAT-IP-13': [409, 'The NAT IP cannot be used: it is attached elsewhere, unavailable or in quarantine'],
  'NAT-IP-14': [409, 'The default SNAT IP cannot be released'],
  'NAT-IP-15': [409, 'The default SNAT can only be moved to another IP', 'defaultSnat'],
  'NAT-CHECK-0': [404, 'This finding is not set aside, or it does not exist'],
  'NAT-CHECK-1': [409, 'The check does not find this any more', 'finding'],
  'NAT-CHECK-2': [409, 'The finding is set aside already', 'finding'],
  'NAT-CHECK-3': [409, 'A finding about machines of several enterprises cannot be set aside', 'finding'],
  'NAT-RULE-0': [404, 'The NAT rule was not found'],
  'NAT-RULE-1': [400, 'The original link is missing or of the wrong kind', 'original'],
  'NAT-RULE-2': [400, 'The translated link is missing or of the wrong kind', 'translated'],
  'NAT-RULE-3': [409, 'This original port and protocol are already used on this NAT IP', 'originalPort'],
  'NAT-RULE-10': [400, 'A DNAT rule needs both ports, or neither'],
  'NAT-RULE-11': [409, 'The private IP is not attached to this virtual machine'],
  'NAT-RULE-12': [409, 'The NAT IP is in quarantine'],
  'NAT-RULE-13': [400, 'This protocol is not supported: use TCP, UDP or ANY', 'protocol'],
  'NAT-RULE-14': [409, 'This private IP already has a SNAT rule'],
  'NAT-RULE-15': [400, 'A SNAT rule cannot have ports or a protocol', 'snat'],
  'NAT-RULE-16': [400, 'A SNAT rule has no range of ports', 'originalPortEnd'],
  'NAT-RULE-17': [400, 'The source is not a network of the family of the NAT IP', 'sources'],
  'NAT-RULE-18': [
    409,
    'The device carries at most 10,000 rules with a range of ports or with sources, and 100,000 sources',
  ],
  'USER-23': [404, 'The application does not exist'],
  'DC-0': [404, 'The datacenter does not exist'],
  'DC-3': [409, 'A datacenter with this name already exists', 'name'],
  'DC-5': [409, 'The datacenter cannot be deleted: it is in use'],
  'EN-0': [404, 'The enterprise does not exist'],
  'ENTERPRISE-4': [409, 'An enterprise with this name already exists', 'name'],
  'ENTERPRISE-5': [409, 'The enterprise cannot be deleted: it is in use'],
  'ROLE-0': [404, 'The role does not exist'],
  'ROLE-3': [409, 'The role cannot be deleted: users have it'],
  'ROLE-7': [409, 'A role with this name already exists', 'name'],
  'ROLE-8': [409, 'The role is blocked'],
  'USER-0': [404, 'The user does not exist'],
  'USER-1': [400, 'The role link is missing', 'role'],
  'USER-4': [409, 'A user with this nick already exists', 'nick'],
  'USER-19': [409, 'The scope is wider than the caller’s own scope', 'scope'],
  'USER-25': [409, 'The last active cloud administrator cannot be deleted, disabled, locked or demoted'],
  'USER-26': [400, 'A service account has no password', 'password'],
  'USER-27': [409, 'The user has signed in already, or has a password'],
  'USER-28': [409, 'Users of this installation sign in at an identity provider, so nobody can be invited'],
  'ENDS-1': [400, 'The end is in the past', 'ends'],
  'NETDEVICE-1': [404, 'The device does not exist'],
  'NETDEVICE-2': [409, 'A device with this name already exists in the datacenter', 'name'],
  'NETDEVICE-3': [409, 'The device cannot be deleted: it is in use'],
  'DEVICETYPE-1': [404, 'The device type does not exist'],
  'VDC-0': [404, 'The virtual datacenter does not exist'],
  'VDC-1': [409, 'The virtual datacenter cannot be deleted: it has virtual appliances or private IPs'],
  'VAPP-0': [404, 'The virtual appliance does not exist'],
  'VAPP-1': [409, 'The virtual appliance cannot be deleted: it has virtual machines'],
  'VM-0': [404, 'The virtual machine does not exist'],
  'PRIVATEIP-0': [404, 'The private IP does not exist'],
  'PRIVATEIP-1': [409, 'The private IP is in use'],
  'TEMPLATE-0': [404, 'The virtual machine template does not exist'],
  'TEMPLATE-1': [409, 'The virtual machine template is used by virtual machines'],
} as const satisfies Record<string, readonly [number, string, string?]>

const ofRequests = {
  '2FA-1': [409, 'Two factor authentication is already enabled'],
  '2FA-2': [400, 'Unknown two factor provider: use EMAIL or APP_AUTHENTICATOR', 'type'],
  '2FA-3': [409, 'This installation cannot send verification codes by e-mail', 'type'],
  '2FA-4': [403, 'Two factor authentication cannot be enabled for another user'],
  '2FA-5': [409, 'The user needs a valid e-mail address for EMAIL'],
  '2FA-6': [403, 'Two factor authentication cannot be disabled for another user'],
  '2FA-7': [409, 'Two factor authentication is not enabled'],
  '2FA-8': [409, 'The verification code is wrong'],
  '2FA-9': [403, 'The enterprise requires two factor authentication: enable it and confirm a code first'],
  '2FA-10': [409, 'This user does not receive verification codes by e-mail'],
  '2FA-11': [409, 'The enrolment cannot be undone: a code was confirmed, or another session started it'],
  '2FA-12': [409, 'Another administrator must approve this'],
  'SIGN-IN-0': [401, 'The nick or the password is wrong'],
  'SIGN-IN-1': [401, 'A verification code is required'],
  'SIGN-IN-2': [401, 'The verification code is wrong'],
  'SIGN-IN-3': [409, 'The old password is wrong', 'oldPassword'],
  'SIGN-IN-4': [409, 'The password reset link was already used or has expired'],
  'SIGN-IN-5': [403, 'The password must be changed first'],
  'SIGN-IN-6': [
    403,
    'Confirm your identity: send the password in oldPassword, or a verification code in its header',
  ],
  'OAUTH-0': [400, 'An OAuth parameter is missing, repeated or malformed'],
  'OAUTH-1': [409, 'The request token was already used or has expired'],
  'OAUTH-2': [404, 'The authorization does not exist'],
  'OIDC-0': [400, 'The form must contain exactly one refresh_token'],
  'OIDC-1': [400, 'The identity provider refuses the refresh token'],
  'OIDC-2': [404, 'The session has no tokens from an identity provider'],
  'SIGN-IN-7': [403, 'Sign in through the identity provider'],
  'SIGN-IN-8': [409, 'This installation cannot send mail'],
  'TRIAL-0': [404, 'The sign-in test does not exist in this session or has expired'],
  'SIGN-IN-9': [401, 'The passkey was not accepted'],
  'SIGN-IN-10': [409, 'The invitation was already used, was replaced or has expired'],
  'PASSKEY-0': [404, 'The passkey does not exist'],
  'PASSKEY-1': [409, 'You have a passkey with this name', 'name'],
  'PASSKEY-2': [400, 'The answer of the passkey was not accepted'],
  'PASSKEY-3': [409, 'This passkey is registered already'],
  'PASSKEY-4': [403, 'Passkeys are not available here'],
  'PASSKEY-5': [409, 'A user has at most 20 passkeys'],
  'SESSION-0': [404, 'The session does not exist or has ended'],
  'SEE-AS-1': [403, 'You see what another user sees: nothing can be changed, and their account is not shown'],
  'SEE-AS-2': [403, 'This session no longer shows what this user sees'],
  'SEE-AS-3': [409, 'The user is disabled or locked, and sees nothing'],
  'GEN-1': [400, 'The id cannot be 0'],
  'GEN-2': [400, 'A mandatory link is missing'],
  'GEN-3': [400, 'The document is not valid'],
  'GEN-6': [400, 'A link is not valid'],
  'LINK-0': [400, 'A link has no rel'],
  'LINK-1': [400, 'A link has no href'],
  'GEN-11': [400, 'The id must not be sent when creating', 'id'],
  'GEN-13': [500, 'An unexpected error occurred'],
  'GEN-15': [403, 'Not allowed for this user'],
  'GEN-16': [400, 'The id in the path differs from the id in the document', 'id'],
  'GEN-22': [400, 'A query parameter is not valid'],
  'QUERY-0': [400, 'The list cannot be sorted by this field', 'by'],
  'CONSTR-NOTNULL': [400, 'A field is missing'],
  'CONSTR-LENGTH': [400, 'A field has the wrong length'],
  'CONSTR-MIN': [400, 'A field is too small'],
  'CONSTR-MAX': [400, 'A field is too large'],
  'CONSTR-PATTERN': [400, 'A field has the wrong format'],
  'CONSTR-EMAIL': [400, 'A field is not an e-mail address'],
  'EVENT-0': [404, 'The event does not exist'],
  'EVENT-1': [404, 'The event has no such document'],
  'EVENT-2': [410, 'Events after this one are no longer kept: read the list of events, then start anew'],
  'UNDO-1': [409, 'This was changed since the event'],
  'UNDO-2': [409, 'The event was already undone'],
  'UNDO-3': [409, 'An event of this kind cannot be undone'],
  'ASOF-1': [400, 'asof is in the future', 'asof'],
  'ASOF-2': [410, 'The journal does not reach back to this moment', 'asof'],
  'JOB-0': [404, 'The job does not exist'],
  'JOB-1': [409, 'The job has ended already'],
  'PLAN-0': [404, 'The plan does not exist or has expired'],
  'PLAN-1': [409, 'The cloud has changed since: this would be another plan. Make a new one'],
  'PLAN-2': [409, 'The plan has refusals: correct the document and make a new plan'],
  'PLAN-3': [409, 'The plan was applied already'],
  'DEVICE-3': [409, 'Changes of this device wait to be confirmed already'],
  'DEVICE-4': [409, 'No changes of this device wait to be confirmed'],
  'DEVICE-2': [410, 'This revision is not known, or its changes are no longer kept: read the whole'],
  'PRIVILEGE-0': [404, 'The privilege does not exist'],
  'RACK-0': [404, 'The rack does not exist'],
  'REMOTESERVICE-0': [404, 'The remote service does not exist'],
  'WEBHOOK-0': [404, 'The webhook does not exist'],
  'WEBHOOK-1': [409, 'A webhook with this name already exists', 'name'],
  'WEBHOOK-2': [400, 'The address of a webhook must be https and public', 'url'],
  'WEBHOOKDELIVERY-0': [404, 'The delivery does not exist'],
  'TOKEN-0': [404, 'The access token does not exist'],
  'TOKEN-1': [409, 'The user has an access token with this name', 'name'],
  'TOKEN-2': [400, 'An access token ends in the future, and after 366 days at most', 'expires'],
  'SCIM-0': [400, 'The filter is not valid'],
  'SCIM-1': [400, 'The path of the operation is not valid'],
  'SCIM-2': [400, 'The path of the operation matches nothing'],
  'SCIM-3': [409, 'Another resource has this externalId'],
  'SCIM-4': [400, 'This attribute cannot be changed'],
  'SCIM-5': [400, 'An attribute has a value that it cannot have'],
  'SCIM-6': [400, 'The message is not a SCIM message'],
  'SCIM-7': [409, 'The role for users without a group does not exist, or you do not see it'],
  'SCIM-8': [501, 'This installation does not have this part of SCIM'],
  'IDEMPOTENCY-1': [400, 'The Idempotency-Key must be one text of 1 to 255 visible ASCII characters'],
  'IDEMPOTENCY-2': [422, 'This Idempotency-Key was used for another request'],
  'IDEMPOTENCY-3': [409, 'The first request with this Idempotency-Key is still running'],
  '400-BAD-REQUEST': [400, 'The address of the request is malformed'],
  '401-UNAUTHORIZED': [401, 'Authentication is required'],
  '403-FORBIDDEN': [403, 'Access is denied'],
  '404-NOT-FOUND': [404, 'Nothing exists at this address'],
  '405-METHOD-NOT-ALLOWED': [405, 'The method is not allowed at this address'],
  '406-NOT-ACCEPTABLE': [406, 'None of the accepted media types can be produced'],
  '412-PRECONDITION-FAILED': [412, 'The resource has changed since it was read'],
  '413-PAYLOAD-TOO-LARGE': [413, 'The body is too large'],
  '415-UNSUPPORTED-MEDIA-TYPE': [415, 'The media type of the body is not supported'],
  '429-TOO-MANY-REQUESTS': [429, 'Too many failed attempts: wait before the next one'],
  '503-UNAVAILABLE': [503, 'The database cannot be reached'],
} as const satisfies Record<string, readonly [number, string, string?]>

/**
 * The catalogue of coded errors: code → status, default message and, where it is always the same, the field that the fault is about
 * (docs/api/errors.md, "Fields of faults"). Only these codes can be thrown.
 */
const catalogue = { ...ofChanges, ...ofRequests }

export type ErrorCode = keyof typeof catalogue
export const allErrorCodes = Object.keys(catalogue) as ErrorCode[]
export const changeErrorCodes = Object.keys(ofChanges) as (keyof typeof ofChanges)[]
export type Fault = { code: ErrorCode; message: string; field?: string }

/** The field that every fault of the code is about, if it is always the same. */
export const fieldOfCode = (code: ErrorCode): string | undefined => {
  const [, , field]: readonly [number, string, string?] = catalogue[code]
  return field
}

export const fault = (
  code: ErrorCode,
  message: string = catalogue[code][1],
  field = fieldOfCode(code),
): Fault => ({ code, message, ...(field !== undefined && { field }) })

/** A fault whose message begins with the field. */
export const fieldFault = (code: ErrorCode, field: string, why: string): Fault =>
  fault(code, `${field}: ${why}`, field)

export const statusOf = (code: ErrorCode): number => catalogue[code][0]

/** Faults in one response. More would not help, and make it long. */
export const MOST_FAULTS = 100

/** For faults with different statuses the response has the first of these. */
const precedence = [500, 501, 503, 429, 401, 403, 404, 410, 405, 406, 413, 415, 412, 400, 422, 409]

/** Thrown by domain rules. `cause` is private: it goes to the log, never to the client. */
export class ApiError extends Error {
  readonly faults: readonly Fault[]
  /** Seconds until the request can be repeated. */
  readonly retryAfter: number | undefined

  constructor(
    problem: ErrorCode | Fault | readonly Fault[],
    options: ErrorOptions & { retryAfter?: number } = {},
  ) {
    const faults = typeof problem === 'string' ? [fault(problem)] : 'code' in problem ? [problem] : problem
    super(faults.map(({ code, message }) => `${code} ${message}`).join('; '), options)
    this.faults = faults
    this.retryAfter = options.retryAfter
  }

  get status(): number {
    const statuses = new Set(this.faults.map(({ code }) => statusOf(code)))
    return precedence.find((status) => statuses.has(status)) ?? 500
  }
}

/** Runs a check of one field. Its faults are about this field, unless they name another. */
export const about = <T>(field: string, check: Promise<T>): Promise<T> =>
  check.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(
      error.faults.map((each) => ({ ...each, field: each.field ?? field })),
      { cause: error.cause },
    )
  })

/** Runs all checks and throws their coded faults together. Any other error is thrown as it is. */
export async function gather<T extends readonly unknown[]>(
  ...checks: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(checks)
  const failures = settled
    .filter((result) => result.status === 'rejected')
    .map((result) => result.reason as unknown)
  const unexpected = failures.find((reason) => !(reason instanceof ApiError))
  if (unexpected !== undefined) throw unexpected
  const faults = failures.flatMap((reason) => (reason instanceof ApiError ? reason.faults : []))
  if (faults.length > 0) throw new ApiError(faults)
  return settled.map((result) => (result.status === 'fulfilled' ? result.value : undefined)) as unknown as T
}
