import type { Generated } from 'kysely'

/*
 * Every table's row. Portable columns only: flags are 0 or 1, times epoch milliseconds, JSON is text, so that SQLite and
 * PostgreSQL (and what speaks its protocol) hold the same values. A `name_key` is the name folded for search and order.
 */

type Flag = 0 | 1

type EnterpriseRow = {
  id: Generated<number>
  name: string
  name_key: string
  default_scope_id: number
  two_factor_mandatory: Flag
  /** JSON object of strings. */
  properties: string
}

type ScopeRow = {
  id: Generated<number>
  name: string
  name_key: string
  parent_id: number | null
  /** Unlimited in this dimension: everything of it belongs to the scope. */
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

type RoleRow = {
  id: Generated<number>
  name: string
  name_key: string
  enterprise_id: number | null
  scope_id: number | null
  blocked: Flag
}

type RolePrivilegeRow = { role_id: number; privilege: string }

type UserRow = {
  id: Generated<number>
  enterprise_id: number
  role_id: number
  /** The own scope; without one the enterprise's default scope holds. */
  scope_id: number | null
  nick: string
  /** Nicks that look alike have the same: it is unique. */
  nick_identity: string | null
  /** Folded nick, and name and surname, for order; all of these and the e-mail, for search. */
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
  /** argon2id, encoded. */
  password_hash: string
  /** Counts up whenever all of the user's tokens and sessions must end. */
  token_epoch: number
  /** JSON array of CIDRs; empty: from everywhere. */
  allowed_cidrs: string
  two_factor_provider: string | null
  /** Encrypted. */
  two_factor_secret: string | null
  /** The last accepted time step: a code is good once. */
  two_factor_step: number
  /** The chain of the session that enabled it, until a code was proved. */
  two_factor_began_by: string | null
}

/** What a user has chosen for the console. */
type PreferenceRow = { user_id: number; name: string; value: string }

type ScratchCodeRow = { id: Generated<number>; user_id: number; code_hash: string }

/** Chains of tokens that were signed out before they ran out. */
type EndedSessionRow = { id: string; expires_at: number }

/** Where somebody is signed in: each console session, and the chains of tokens that are used. */
type SessionRow = {
  id: Generated<number>
  chain: string
  user_id: number
  /** The user's epoch that it holds with: ending all others moves both. */
  epoch: number
  in_console: Flag
  began: number
  /** When the console last asked for the password or a code in it. */
  proved_at: number | null
  last_used: number
  expires_at: number
  address: string
  user_agent: string
}

/** The one code that was mailed last. */
type MailedCodeRow = {
  user_id: number
  code_hash: string
  sent_at: number
  expires_at: number
  tries: number
}

/** Time steps whose code was reported as early. They are never accepted. */
type RefusedStepRow = { user_id: number; step: number }

/** A reset of somebody's two factor that waits for a second administrator. */
type TwoFactorResetRow = { user_id: number; requested_by: number; requested_at: number }

type PasswordResetRow = { user_id: number; token_hash: string; sent_at: number; expires_at: number }

type MailRow = {
  id: Generated<number>
  /** The mail, encrypted. */
  sealed: string
  due_at: number
  expires_at: number
  attempts: number
}

/** A program that a user has registered for OAuth. */
type ApplicationRow = {
  id: Generated<number>
  user_id: number
  name: string
  name_key: string
  description: string
  api_key: string
  /** Encrypted: signatures are checked with it. */
  api_secret: string
  /** When the secret was written into an event, as versions before migration 11 did; null: it was not, or it was renewed. */
  secret_exposed_at: Generated<number | null>
  /** PEM, for RSA signatures. */
  public_key: string | null
}

type ApplicationPrivilegeRow = { application_id: number; privilege: string }

/** With an end it is a request token, of nobody until it is authorized; without one an access token. */
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

/** What may be used once until then. */
type OnceRow = { nonce: string; expires_at: number }

/** A signature that was wrong, as the server would have made it. */
type OAuthFailureRow = {
  id: Generated<number>
  application_id: number
  failed_at: number
  method: string
  base_string: string
  /** Seconds that the client's clock is ahead. */
  clock_offset: number
}

/** A sign-in that is under way at a provider. */
type SignInFlowRow = { id: string; sealed: string; expires_at: number }

/** Whom a session of the console is signed in with, and what it needs to sign out there. */
type SessionProviderRow = {
  chain: string
  user_id: number
  provider: string
  subject: string
  /** Tokens, encrypted. */
  sealed: string
  expires_at: number
}

/** Who a user is at a provider; matched by nick alone until there is one. */
type UserIdentityRow = {
  id: Generated<number>
  user_id: number
  provider: string
  /** Where the subject is unique: the issuer; for subjects that differ by audience with that behind it. */
  issuer: string
  subject: string
}

type UsedAssertionRow = { id: string; expires_at: number }

type DatacenterRow = { id: Generated<number>; name: string; name_key: string; location: string }

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

type DeviceRow = {
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

type VirtualDatacenterRow = {
  id: Generated<number>
  name: string
  name_key: string
  enterprise_id: number
  datacenter_id: number
  device_id: number | null
}

type VirtualApplianceRow = {
  id: Generated<number>
  virtual_datacenter_id: number
  name: string
  name_key: string
}

type VirtualMachineRow = {
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

type TemplateRow = {
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

type NatNetworkRow = {
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

type NatIpRow = {
  id: Generated<number>
  nat_network_id: number
  datacenter_id: number
  ip: string
  /** Sorts as text as addresses sort as numbers, IPv4 before IPv6. */
  ip_key: string
  available: Flag
  quarantine: Flag
  default_snat: Flag
  virtual_datacenter_id: number | null
}

type NatRuleRow = {
  id: Generated<number>
  nat_ip_id: number
  private_ip_id: number
  virtual_machine_id: number
  /* Copies of what the NAT IP says and what never changes, so that one index orders a datacenter's rules. */
  nat_network_id: number
  datacenter_id: number
  ip_key: string
  snat: Flag
  protocol: string | null
  original_port: number | null
  translated_port: number | null
}

/** Totals that are kept in the same transaction as every change of what they count. */
type NatTotals = {
  nat_network_id: number
  datacenter_id: number
  ips: number
  available_ips: number
  used_ips: number
  quarantine_ips: number
  default_snat_ips: number
  available_default_snat_ips: number
  snat_rules: number
  dnat_rules: number
}

/** Those of a network. */
type NatCountRow = NatTotals & {
  /** Key of an address below which every one that is given out by itself exists; empty: at the beginning. */
  first_free_key: Generated<string>
}

/** Those of a block of 256 addresses (or of 65,536, a wide one); `block`: how the keys of all its addresses begin. */
type NatBlockRow = NatTotals & { wide: Flag; block: string }

/** What was done; it stands by itself: what it names may be gone. */
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
  /** What the changes name has its kind and id; else it is text, as before migration 11. */
  structured: Generated<Flag>
  user_id: number | null
  user_nick: string | null
  /** Of the user. */
  enterprise_id: number | null
  request_id: string
  ip: string
  /* Who does not see these does not see the event. */
  about_enterprise_id: number | null
  was_enterprise_id: number | null
  about_datacenter_id: number | null
  about_scope_id: number | null
}

type SignInFailureRow = {
  key: string
  /** In the present window, which began at `since`. */
  failures: number
  since: number
  last: number
  /** How often the pair had to wait already. */
  waits: number
  blocked_until: number
  /** Attempts that are being checked. */
  pending: Generated<number>
}

/** A client network where a user signed in lately. */
type SignInPlaceRow = { user_id: number; network: string; last: number }

/** The event that sums up the attempts of a minute from one network at nicks that nobody has. */
type RefusedStrangerRow = { place: string; minute: number; event_id: number; count: number }

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
  mails: MailRow
  sign_in_failures: SignInFailureRow
  sign_in_places: SignInPlaceRow
  refused_strangers: RefusedStrangerRow
  events: EventRow
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
  virtual_datacenters: VirtualDatacenterRow
  virtual_appliances: VirtualApplianceRow
  virtual_machines: VirtualMachineRow
  templates: TemplateRow
  private_ips: PrivateIpRow
  nat_networks: NatNetworkRow
  nat_counts: NatCountRow
  nat_blocks: NatBlockRow
  nat_ips: NatIpRow
  nat_rules: NatRuleRow
}
