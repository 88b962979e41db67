/** The RP id for which a passkey was made (WebAuthn §5.4.2). It becomes known of older passkeys when they are used. */
export const statements = (): string[] => ['alter table passkeys add column rp_id text']
