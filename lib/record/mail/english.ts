import { type Language, type Notice, timeOf, type Words } from '#lib/record/mail/notices'

const notYou = 'If this was not you, tell your administrator at once.'
const from = (at: string, address: string | undefined) => `When: ${at}${address ? `, from ${address}` : ''}.`
const count = (left: number) => (left === 1 ? '1 scratch code is left' : `${left} scratch codes are left`)

const origins = ({ addresses, more }: { addresses: string[]; more: number }) =>
  `${addresses.join(', ')}${more > 0 ? ` and ${more} more` : ''}`

const endKinds = { user: 'User', natip: 'NAT IP', natrule: 'NAT rule' } as const

function words(notice: Notice, at: string): Words {
  switch (notice.kind) {
    case 'code':
      return {
        subject: `Your verification code: ${notice.code}`,
        lines: [
          `Type this code where you sign in. It works once, within ${notice.minutes} minutes.`,
          'The person who requested it knows your password. If this was not you, do not share the code, and change your password.',
        ],
        code: notice.code,
      }
    case 'password-reset':
      return {
        subject: 'Set a new password',
        lines: [
          `A new password was requested for your account. The link works once, within ${notice.minutes} minutes.`,
          'If this was not you, ignore this mail: your password stays the same.',
        ],
        button: { label: 'Set a new password', href: notice.href },
      }
    case 'invitation':
      return {
        subject: 'You are invited',
        lines: [
          `An administrator has made an account for you. Your user name is ${notice.nick}. Choose a password or a passkey to sign in.`,
          `The link works once, within ${notice.hours} hours. If you did not expect this mail, ignore it.`,
        ],
        button: { label: 'Accept the invitation', href: notice.href },
      }
    case 'two-factor-enabled':
      return {
        subject: 'Two factor authentication is on',
        lines: [
          notice.provider === 'EMAIL'
            ? 'From now on you sign in with your password and a code that is mailed to this address.'
            : 'From now on you sign in with your password and a code from your authenticator app.',
          from(at, notice.address),
          notYou,
        ],
      }
    case 'two-factor-disabled':
      return {
        subject: 'Two factor authentication is off',
        lines: ['From now on you sign in with your password only.', from(at, notice.address), notYou],
      }
    case 'two-factor-reset':
      return {
        subject: 'An administrator has turned two factor authentication off',
        lines: [
          'Until you set it up again, you sign in with your password only. You were signed out everywhere.',
          from(at, undefined),
          'If you did not ask for this, tell your administrator at once.',
        ],
      }
    case 'two-factor-help':
      return {
        subject: 'A user asks for a reset of two factor authentication',
        lines: [
          `${notice.nick} has entered their password, and says that they have lost their phone and their scratch codes.`,
          from(at, notice.address),
          'First make sure that it is them, by a call or in person: anybody who knows the password can send this request. Then use “Reset two factor” on the page of the user.',
        ],
        button: { label: 'Open the page of the user', href: notice.href },
      }
    case 'scratch-code-used':
      return {
        subject: 'A scratch code was used',
        lines: [
          `One of your scratch codes was used in place of a verification code: ${count(notice.left)}.`,
          from(at, notice.address),
          notYou,
        ],
      }
    case 'new-scratch-codes':
      return {
        subject: 'You have new scratch codes',
        lines: ['The earlier ones no longer work.', from(at, notice.address), notYou],
      }
    case 'passkey-added':
      return {
        subject: 'A passkey was added',
        lines: [
          `The passkey ${notice.name} was added to your account. It signs you in without your password.`,
          from(at, notice.address),
          notYou,
        ],
      }
    case 'password-changed':
      return {
        subject: 'Your password was changed',
        lines: [
          notice.by === 'administrator'
            ? 'An administrator has set a new password for you. You were signed out everywhere.'
            : 'All sessions that began with the old password were signed out.',
          from(at, notice.address),
          notYou,
        ],
      }
    case 'email-changed':
      return {
        subject: 'Your e-mail address was changed',
        lines: [`Mail goes to ${notice.to} from now on.`, from(at, undefined), notYou],
      }
    case 'access-token-ends':
      return {
        subject: `The access token ${notice.name} ends soon`,
        lines: [
          `The access token ${notice.name} of the user ${notice.nick} ends on ${at}. Programs that use it are refused from then on.`,
          'If they still need it, make a new access token, give it to them, and revoke this one.',
        ],
      }
    case 'ends':
      return {
        subject: `${notice.name} ends soon`,
        lines: [
          notice.entity === 'user'
            ? `You set an end for the user ${notice.name}: ${at}. From then on they are inactive, and their tokens and sessions end.`
            : notice.entity === 'natrule'
              ? `You set an end for the NAT rule ${notice.name}: ${at}. Then it is disabled.`
              : `You set an end for the NAT IP ${notice.name}: ${at}. Then it is released, unless it has NAT rules.`,
          'If more time is needed, set a later end.',
        ],
        button: { label: 'Open in the console', href: notice.href },
      }
    case 'many-ends':
      return {
        subject: `${notice.count} ends are soon`,
        lines: [
          `You set ends that come soon, the first of them on ${at}. Then users become inactive, NAT rules are disabled, and NAT IPs without NAT rules are released.`,
          ...notice.items.map(({ entity, name, at: end }) => `${endKinds[entity]} ${name}: ${timeOf(end)}`),
          ...(notice.more > 0 ? [`and ${notice.more} more`] : []),
          'If more time is needed, set later ends.',
        ],
        button: { label: 'Open the console', href: notice.href },
      }
    case 'webhook-stopped':
      return {
        subject: 'A webhook was stopped',
        lines: [
          `No event could be delivered to your webhook ${notice.name} for three days. It is inactive now, and sends nothing.`,
          `The last attempt failed: ${notice.problem}`,
          'Repair the receiver, test the webhook, and make it active again. Events in between are not delivered.',
        ],
      }
    case 'codes-guessed':
      return {
        subject: 'Somebody is guessing your verification codes',
        lines: [
          `Within an hour, ${notice.attempts} wrong verification codes were typed for your account. They came from ${origins(notice)}.`,
          'The person who typed them knows your password. New addresses now have to wait before the next attempt. Nothing changes where you signed in within the last 30 days.',
          from(at, undefined),
          'If this was not you, change your password now and tell your administrator.',
        ],
      }
  }
}

export const english: Language = {
  greeting: (name) => `Hello ${name},`,
  words,
  footer: (nick, site) => `This mail is for the user ${nick} of ${site}.`,
}
