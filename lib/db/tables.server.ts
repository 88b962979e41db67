import type { Generated } from 'kysely'

/*
 * The rows of all tables. Both engines store the same values: flags are 0 or 1, times are epoch milliseconds, and JSON is text.
 * `name_key` is the name folded for search and order.
 */

type Flag = 0 | 1

/** The tags are JSON arrays: the names as they were sent, and folded. */
type Tagged = { tags: Generated<string>; tags_key: Generated<string> }
type Noted = Tagged & { description: Generated<string> }
/** `description_key` is folded for the search. */
type Described = Tagged & { description_key: Generated<string> }

/** By triggers alone. The label is the name of the table and the folded name of the tag. */
type TagRow = { label: string; resource_id: number; name: string }

type EnterpriseRow = Noted &
  Described & {
    id: Generated<number>
    name: string
    name_key: string
    default_scope_id: number
    two_factor_mandatory: Flag
    /** JSON object of strings. */
    properties: string
  }

type ScopeRow = Noted &
  Described & {
    id: Generated<number>
    name: string
    name_key: string
    /** The name for the order in the tree: 2 precedes 10. */
    natural_key: string
    parent_id: number | null
    /** 1: the scope contains all datacenters. */
    all_datacenters: Flag
    all_enterprises: Flag
  }

/** Exactly one of the two references is set. */
type ScopeEntityRow = {
  id: Generated<number>
  scope_id: number
  enterprise_id: number | null
  datacenter_id: number | null
}

type RoleRow = Noted &
  Described & {
    id: Generated<number>
    name: string
    name_key: string
    enterprise_id: number | null
    scope_id: number | null
    blocked: Flag
  }

type RolePrivilegeRow = { role_id: number; privilege: string }

type UserRow = Described & {
  id: Generated<number>
  enterprise_id: number
  role_id: number
  /** The user's own scope. If null, the enterprise's default scope applies. */
  scope_id: number | null
  nick: string
  /** Unique. Nicks that look alike have the same value. */
  nick_identity: string | null
  /** Folded for order: the nick; name and surname. Folded for search: all of these and the e-mail address. */
  nick_key: string
  name_key: string
  search_key: string
  name: string
  surname: string
  description: string
  email: string
  locale: string
  auth_type: string
  active: Flag
  locked: Flag
  first_login: Flag
  /** They have not accepted their invitation yet. */
  invited: Generated<Flag>
  /** argon2id, encoded. */
  password_hash: string
  /** Incremented to end all of the user's tokens and sessions. */
  token_epoch: number
  /** JSON array of CIDRs. Empty: no restriction. */
  allowed_cidrs: string
  two_factor_provider: string | null
  /** Encrypted. */
  two_factor_secret: string | null
  /** The last accepted time step, so that each code works once. */
  two_factor_step: number
  /** The chain of the session that enabled two factor. Null once a code is verified. */
  two_factor_began_by: string | null
  /** Two factor was enabled in the console, not by a program. */
  two_factor_in_console: Generated<Flag>
  /** Null: before the journal, or by an older program. */
  created_at: number | null
  modified_at: number | null
  /** When the user becomes inactive by itself. */
  ends_at: number | null
}

type PreferenceRow = { user_id: number; name: string; value: string }

type ScratchCodeRow = { id: Generated<number>; user_id: number; code_hash: string }

/** Chains of tokens that were revoked before they expired. */
type EndedSessionRow = { id: string; expires_at: number }

/** A console session, or a chain of tokens that has been used. */
type SessionRow = {
  id: Generated<number>
  chain: string
  user_id: number
  /** The session is valid while this is the user's epoch. `endOtherSessions` advances both. */
  epoch: number
  in_console: Flag
  began: number
  /** When the user last proved their identity in this session. */
  proved_at: number | null
  /** It began without a code although two factor was on: its enrolment was never verified. Cleared by a code in this session. */
  owes_code: Generated<Flag>
  last_used: number
  expires_at: number
  address: string
  user_agent: string
  /** The user whose view the session shows, until this moment, and the epoch of their own sessions then. */
  sees_user_id: number | null
  sees_until: number | null
  sees_epoch: number | null
}

/** The last mailed code. Earlier ones are invalid. */
type MailedCodeRow = {
  user_id: number
  code_hash: string
  sent_at: number
  expires_at: number
  tries: number
}

/** Time steps whose code was reported as early. They are never accepted. */
type RefusedStepRow = { user_id: number; step: number }

/** A reset of a user's two factor that waits for a second administrator. */
type TwoFactorResetRow = { user_id: number; requested_by: number; requested_at: number }

type PasswordResetRow = { user_id: number; token_hash: string; sent_at: number; expires_at: number }

/** The link of an invited user. */
type InvitationRow = { user_id: number; token_hash: string; expires_at: number }

type MailRow = {
  id: Generated<number>
  /** The mail, encrypted. */
  sealed: string
  due_at: number
  expires_at: number
  attempts: number
  /** The enterprise of the reader. */
  enterprise_id: number | null
}

/** The user who set the end of a resource. `refused`: the codes that refuse the end, which has passed, to the user. */
type EndMakerRow = { entity: string; entity_id: number; user_id: number; refused: string | null }

/** The next mail about the end of a resource, to the user who set it. */
type EndNoticeRow = {
  entity: string
  entity_id: number
  ends_at: number
  due_at: number
  user_id: number
}

/** An application that a user registered for OAuth 1.0a. */
type ApplicationRow = {
  id: Generated<number>
  user_id: number
  name: string
  name_key: string
  description: string
  api_key: string
  /** Encrypted rather than hashed, because checking a signature needs the secret. */
  api_secret: string
  /** When a version before migration 11 wrote the secret into an event. Null if that never happened, or the secret was renewed. */
  secret_exposed_at: Generated<number | null>
  /** PEM, for RSA signatures. */
  public_key: string | null
}

type ApplicationPrivilegeRow = { application_id: number; privilege: string }

/** A request token expires, and has no user until it is authorized. An access token has no expiry. */
type OAuthTokenRow = {
  id: Generated<number>
  token: string
  /** Encrypted. */
  secret: string
  application_id: number
  user_id: number | null
  callback: string | null
  verifier_hash: string | null
  created_at: number
  last_used: number | null
  expires_at: number | null
}

/** A nonce that cannot be used again before it expires. */
type OnceRow = { nonce: string; expires_at: number }

/** A refused signature, with the base string that the server computed. */
type OAuthFailureRow = {
  id: Generated<number>
  application_id: number
  failed_at: number
  method: string
  base_string: string
  /** Seconds that the client's clock is ahead. */
  clock_offset: number
}

/** A sign-in in progress at an identity provider. */
type SignInFlowRow = {
  id: string
  sealed: string
  expires_at: number
  /** When and from where the sign-in began: an IPv4 address, or a /48 and its /64. */
  began_at: number | null
  site: string | null
  network: string | null
}

/** The identity behind a console session, with the data for the sign-out at its provider. */
type SessionProviderRow = {
  chain: string
  user_id: number
  provider: string
  subject: string
  /** Tokens, encrypted. */
  sealed: string
  expires_at: number
}

/** A user's identity at a provider. Users without one are matched by nick. */
type UserIdentityRow = {
  id: Generated<number>
  user_id: number
  provider: string
  /** The namespace of the subject: the issuer, followed by the audience if subjects differ by audience. */
  issuer: string
  subject: string
}

type UsedAssertionRow = { id: string; expires_at: number }

type DatacenterRow = Noted &
  Described & { id: Generated<number>; name: string; name_key: string; location: string }

type RackRow = {
  id: Generated<number>
  datacenter_id: number
  name: string
  name_key: string
  short_description: string
}

type RemoteServiceRow = {
  id: Generated<number>
  datacenter_id: number
  type: string
  uri: string
  status: number
}

type DeviceTypeRow = { id: Generated<number>; name: string; name_key: string; nat: Flag }

type DeviceRow = Described & {
  id: Generated<number>
  datacenter_id: number
  device_type_id: number
  name: string
  name_key: string
  description: string
  endpoint: string
  login: string
  /** Encrypted. */
  password: string | null
}

type VirtualDatacenterRow = Noted &
  Described & {
    id: Generated<number>
    name: string
    name_key: string
    enterprise_id: number
    datacenter_id: number
    device_id: number | null
  }

type VirtualApplianceRow = Noted &
  Described & {
    id: Generated<number>
    virtual_datacenter_id: number
    name: string
    name_key: string
  }

type VirtualMachineRow = Noted &
  Described & {
    id: Generated<number>
    virtual_appliance_id: number
    virtual_datacenter_id: number
    enterprise_id: number
    user_id: number | null
    template_id: number | null
    name: string
    name_key: string
    label: string
    state: string
  }

type TemplateRow = Noted & {
  id: Generated<number>
  enterprise_id: number
  datacenter_id: number
  scope_id: number | null
  name: string
  name_key: string
}

type PrivateIpRow = {
  id: Generated<number>
  virtual_datacenter_id: number
  virtual_machine_id: number | null
  nic: number | null
  ip: string
  ip_key: string
  mac: string
}

type NatNetworkRow = Noted &
  Described & {
    id: Generated<number>
    datacenter_id: number
    device_id: number
    name: string
    name_key: string
    cidr: string
    /** Keys of the lowest and highest address (see ip_key), and the prefix length. */
    first_key: string
    last_key: string
    prefix: number
  }

type NatIpRow = Noted & {
  id: Generated<number>
  nat_network_id: number
  datacenter_id: number
  ip: string
  /** Text that sorts in the numeric order of addresses, IPv4 before IPv6. */
  ip_key: string
  available: Flag
  quarantine: Flag
  default_snat: Flag
  virtual_datacenter_id: number | null
  /** When the IP is released by itself. */
  ends_at: number | null
}

type NatRuleRow = Noted & {
  id: Generated<number>
  nat_ip_id: number
  private_ip_id: number
  virtual_machine_id: number
  /* Copied from the NAT IP, where they never change, so that one index orders a datacenter's rules. */
  nat_network_id: number
  datacenter_id: number
  ip_key: string
  snat: Flag
  protocol: string | null
  original_port: number | null
  /** The last port of a range that begins with `original_port`. */
  original_port_end: number | null
  translated_port: number | null
  /** CIDRs joined by commas; null: every source. */
  sources: string | null
  disabled_at: number | null
  /** When the rule is disabled by itself. */
  ends_at: number | null
}

/** A translation that appeared (`added` 1) or disappeared (-1). Only triggers write it (lib/db/translation-log.server.ts). */
type TranslationChangeRow = {
  id: Generated<number>
  device_id: number
  /** The number of the transaction in PostgreSQL; 0 in SQLite, where `id` is in the order of commit. */
  revision: number
  moment: number
  added: number
  rule_id: number | null
  kind: string
  protocol: string | null
  nat_ip: string
  nat_port: number | null
  nat_port_end: number | null
  sources: string | null
  private_ip: string
  private_port: number | null
}

/** The last report of a gateway. `drift`, `refused` and `agent` are JSON. */
type DeviceStateRow = {
  device_id: number
  revision: number
  mode: string
  /** Between two reports. */
  seconds: number
  translations: number
  drift: string
  refused: string
  agent: string
  /** What the gateway understands of an entry (lib/cloud/translations/format.server.ts). */
  format_version: Generated<number>
  reported_at: number
  /** The status in the last event. */
  shown_status: string
}

/** A gateway's report about one rule. */
type DeviceRuleRow = {
  rule_id: number
  device_id: number
  packets: number
  bytes: number
  fault: 'drifted' | 'refused' | null
}

/** Totals, updated in the transaction that changes the counted rows. */
type NatTotals = {
  nat_network_id: number
  datacenter_id: number
  ips: number
  available_ips: number
  used_ips: number
  quarantine_ips: number
  /** Available, not in quarantine and not attached. */
  free_ips: number
  default_snat_ips: number
  available_default_snat_ips: number
  snat_rules: number
  dnat_rules: number
}

/** Totals of a network. */
type NatCountRow = NatTotals & {
  /** Every assignable address below this key exists. Empty: the first address may be free. */
  first_free_key: Generated<string>
}

/** Totals of a network at the end of a day (UTC, days since 1970) on which they changed. */
type NatUseDayRow = Pick<NatTotals, 'nat_network_id' | 'ips' | 'available_ips' | 'used_ips'> & {
  day: number
  /** null above 2^53 - 1, and on days before the migration that added it. */
  assignable: number | null
}

/** Totals of a block of 256 addresses (`wide` 0), 4,096 (2) or 65,536 (1). `block` is the common prefix of the keys. */
/** A finding of the NAT check that is set aside: migrations/056-set-asides.server.ts. */
type NatSetAsideRow = {
  id: Generated<number>
  datacenter_id: number
  enterprise_id: number | null
  code: string
  subject_id: number
  other_id: number
  third_id: number
  mark: string
  name: string
  reason: string
  /** The last day, in ISO 8601 (UTC). */
  until_day: string
  set_by: number
}

type NatBlockRow = NatTotals & { wide: 0 | 1 | 2; block: string }

/** Has no references to other tables, because the named resources may be deleted. */
type EventRow = {
  id: Generated<number>
  timestamp: number
  action: string
  entity_type: string
  entity_id: number | null
  entity_name: string
  /** Folded entity_name, for search. */
  entity_key: string
  entity_path: string | null
  /** JSON object: field → before and after. */
  changes: string
  /** 1: resources in the changes have a kind and an id. 0: they are text, as before migration 11. */
  structured: Generated<Flag>
  user_id: number | null
  user_nick: string | null
  /** The user's enterprise. */
  enterprise_id: number | null
  request_id: string
  ip: string
  /* Only callers who see all of these see the event. */
  about_enterprise_id: number | null
  was_enterprise_id: number | null
  about_datacenter_id: number | null
  about_scope_id: number | null
  /** The moment of the transaction, in microseconds since 1970. Null: before the journal began. */
  moment: number | null
  /** The number of the transaction in PostgreSQL. 0: SQLite, where the ids are in the order of the commits. */
  transaction_number: Generated<number>
  /** The event that this one undid. */
  undoes: Generated<number | null>
  /** The path below {api} of the changed document. Null: the event is about several documents, or none. */
  document_path: Generated<string | null>
  /** 1: the change can be undone. */
  undoable: Generated<Flag>
}

/** The moments of a change in steps, besides the moment of its event. */
type EventStepRow = { event_id: number; moment: number }

/** A row as it was until a moment, when a transaction replaced it. Triggers write it (journal.server.ts). */
type PastRow = {
  /** The table. */
  source: string
  id: number
  /** Distinguishes rows of one id. */
  part: string
  until: number
  /** JSON object of the columns. Null: there was no row. */
  content: string | null
  /** 1: the row was deleted at this moment. */
  ended: Generated<Flag>
  /** JSON object of the hidden columns after the change, if no other column changed. */
  moved: Generated<string | null>
}

/** One row: the state before this moment is not known. */
type JournalBeginningRow = { moment: number }

/** A seal of consecutive events in the order of commit, from the seal before up to its last event (seals.server.ts). */
type EventStreamRow = { id: string; user_id: number; until: number }

type EventSealRow = {
  /** From 1, without gaps. */
  number: number
  first_event: number
  last_transaction: number
  last_event: number
  /** Their number. */
  events: number
  /** The timestamp of the newest event. */
  newest: number
  sealed_at: number
  /** SHA-256 over `entries`. */
  content: string
  /** SHA-256 over the other columns and the digest of the seal before. */
  digest: string
  /** A line for each event: its id and its SHA-256. Null: retention has removed the events. */
  entries: string | null
}

/** One row. */
type SealProgressRow = {
  /** Events up to this one are never amended. */
  closed_transaction: number
  closed_event: number
  /** The number of seals whose events retention has removed. */
  removed_seals: number
}

/** One row (commit-order.server.ts). */
type TransactionBaseRow = { number: number }

type SignInFailureRow = {
  key: string
  /** Failures in the current window, which began at `since`. */
  failures: number
  since: number
  last: number
  /** How often this key has been blocked. */
  waits: number
  blocked_until: number
  /** Attempts that are being checked. */
  pending: Generated<number>
}

/** A client network from which a user signed in recently. */
type SignInPlaceRow = { user_id: number; network: string; last: number }

/** Attempts at unknown nicks from one network in one minute share this event. */
type RefusedStrangerRow = { place: string; minute: number; event_id: number; count: number }

/** The response to a request with an Idempotency-Key. `answer` is JSON. */
type IdempotencyKeyRow = {
  user_id: number
  name: string
  fingerprint: string
  answer: string
  expires_at: number
}

/** `events` is a list of patterns in JSON, `since` a moment of the journal. */
/** A passkey of a user (WebAuthn). `credential_id` and `public_key` are base64url, `transports` is a JSON array. */
type PasskeyRow = {
  id: Generated<number>
  user_id: number
  name: string
  name_key: string
  credential_id: string
  public_key: string
  counter: number
  transports: string
  multi_device: Flag
  backed_up: Flag
  created_at: number
  last_used: number | null
  /** The site for which it was made; null if that is not known yet. */
  rp_id: string | null
}

/** A challenge that was answered. */
type PasskeyChallengeRow = { id: string; expires_at: number }

type AccessTokenRow = {
  id: Generated<number>
  user_id: number
  name: string
  name_key: string
  /** SHA-256 of the token. */
  digest: string
  /** Names, separated by commas. */
  privileges: string
  /** JSON array of CIDRs. Empty: no restriction. */
  allowed_cidrs: string
  created_at: number
  created_by: number
  expires_at: number
  last_used: number | null
  last_used_from: string | null
  /** When the mail about the coming end was queued, or that none is due. */
  reminded_at: number | null
  scim_used: Generated<number | null>
}

/** The names that a directory has for a user or a role. */
type ExternalNameRow = {
  /** The user under whom the directory acts. */
  owner_id: number
  kind: string
  resource_id: number
  external_id: string | null
  display_name: string | null
  display_key: string | null
  changed_at: number | null
}

/** A request that SCIM refused. */
type ScimRefusalRow = {
  id: Generated<number>
  refused_at: number
  user_id: number
  token_id: number | null
  method: string
  /** The pattern of the path. */
  route: string
  status: number
  code: string
  message: string
}

type WebhookRow = {
  id: Generated<number>
  name: string
  name_key: string
  url: string
  events: string
  active: number
  /** Encrypted. Null only until the row has an id. */
  secret: string | null
  /** The creator, who may be deleted. */
  user_id: number
  since: number
  failing_since: number | null
}

/** One event on its way to one webhook. `due_at` is null once it was delivered or has failed. */
type WebhookDeliveryRow = {
  id: Generated<number>
  webhook_id: number
  event_id: number
  /** The `webhook-id` of all attempts. */
  message: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  created_at: number
  due_at: number | null
  expires_at: number
  attempted_at: number | null
  /** Milliseconds that the last attempt took. */
  duration: number | null
  /** The body of the last attempt. */
  request: string | null
  answer_status: number | null
  answer: string | null
  problem: string | null
}

/** The place in the feed up to which events have been handed to the webhooks. */
type WebhookCursorRow = { position: string }

type PlanRow = {
  id: Generated<number>
  user_id: number
  mode: string
  /** Equal for plans with the same operations. */
  fingerprint: string
  /** The number of refusals. */
  refused: number
  /** JSON. */
  totals: string
  created_at: number
  expires_at: number
  applied_at: number | null
  event_id: number | null
  /** The moments of its parts. */
  bytes: Generated<number>
}

/** A piece of the desired state, of the operations, or of the refusals of a plan: a JSON array. */
type PlanPartRow = { plan_id: number; kind: string; part: number; content: string }

/** The columns of the place have the names that they have in events. */
type JobRow = {
  id: Generated<number>
  user_id: number
  user_nick: string
  enterprise_id: number
  access_token_id: number | null
  oauth_token_id: number | null
  operation: string
  /** Below {api}. */
  path: string
  /** JSON. */
  document: string | null
  request_id: string
  ip: string
  entity_type: string
  entity_id: number | null
  about_enterprise_id: number | null
  was_enterprise_id: number | null
  about_datacenter_id: number | null
  about_scope_id: number | null
  state: string
  /** The number of steps that have committed. */
  step: number
  /** Null before the rows are selected, and for a job of one transaction. */
  steps: number | null
  total: number | null
  done: number
  changed: number
  unchanged: number
  refused: number
  /** JSON array of refused rows. */
  refusals: string
  /** JSON of the event that the job will have. */
  event: string | null
  event_id: number | null
  code: string | null
  message: string | null
  created_at: number
  began_at: number | null
  ended_at: number | null
}

/** `ids` is a JSON array: the rows to change, and after the step those that it changed. */
type JobStepRow = { job_id: number; number: number; ids: string; moment: number | null }

type JobClaimRow = {
  job_id: number
  owner: string
  until: number
  done: number | null
  total: number | null
}

type UnconfirmedChangeRow = {
  device_id: number
  user_id: number
  user_nick: string
  enterprise_id: number
  access_token_id: number | null
  oauth_token_id: number | null
  revision: number
  seconds: number
  ends_at: number
}

export type Tables = {
  applications: ApplicationRow
  application_privileges: ApplicationPrivilegeRow
  oauth_tokens: OAuthTokenRow
  oauth_nonces: OnceRow
  oauth_failures: OAuthFailureRow
  sign_in_flows: SignInFlowRow
  session_providers: SessionProviderRow
  used_assertions: UsedAssertionRow
  user_identities: UserIdentityRow
  sessions: SessionRow
  mailed_codes: MailedCodeRow
  refused_steps: RefusedStepRow
  two_factor_resets: TwoFactorResetRow
  password_resets: PasswordResetRow
  invitations: InvitationRow
  mails: MailRow
  end_notices: EndNoticeRow
  end_makers: EndMakerRow
  sign_in_failures: SignInFailureRow
  sign_in_places: SignInPlaceRow
  refused_strangers: RefusedStrangerRow
  events: EventRow
  event_steps: EventStepRow
  past_rows: PastRow
  journal_beginning: JournalBeginningRow
  event_seals: EventSealRow
  event_streams: EventStreamRow
  seal_progress: SealProgressRow
  transaction_base: TransactionBaseRow
  idempotency_keys: IdempotencyKeyRow
  plans: PlanRow
  plan_parts: PlanPartRow
  jobs: JobRow
  job_steps: JobStepRow
  job_claims: JobClaimRow
  access_tokens: AccessTokenRow
  external_names: ExternalNameRow
  scim_refusals: ScimRefusalRow
  passkeys: PasskeyRow
  passkey_challenges: PasskeyChallengeRow
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
  webhook_cursor: WebhookCursorRow
  enterprises: EnterpriseRow
  scopes: ScopeRow
  scope_entities: ScopeEntityRow
  roles: RoleRow
  role_privileges: RolePrivilegeRow
  users: UserRow
  preferences: PreferenceRow
  scratch_codes: ScratchCodeRow
  ended_sessions: EndedSessionRow
  datacenters: DatacenterRow
  racks: RackRow
  remote_services: RemoteServiceRow
  device_types: DeviceTypeRow
  devices: DeviceRow
  translation_changes: TranslationChangeRow
  translation_floors: { device_id: number; revision: number }
  device_states: DeviceStateRow
  device_rules: DeviceRuleRow
  unconfirmed_changes: UnconfirmedChangeRow
  virtual_datacenters: VirtualDatacenterRow
  virtual_appliances: VirtualApplianceRow
  virtual_machines: VirtualMachineRow
  templates: TemplateRow
  private_ips: PrivateIpRow
  nat_networks: NatNetworkRow
  nat_counts: NatCountRow
  nat_blocks: NatBlockRow
  nat_setasides: NatSetAsideRow
  nat_use_days: NatUseDayRow
  nat_ips: NatIpRow
  tags: TagRow
  nat_rules: NatRuleRow
}
