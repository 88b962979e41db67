export const home = {
  signIn: {
    title: 'Your sign-in',
    off: 'Two factor is off',
    offWhy:
      'Your password alone opens this account. With an authenticator app on your phone a stolen password is not enough. Setting it up takes two minutes.',
    setUp: 'Set up two factor',
    on: 'Two factor is on',
    codesLeft:
      '{count, plural, =0 {No scratch code is left. Without your phone you could not sign in.} =1 {One scratch code is left.} other {# scratch codes are left.}}',
    newCodes: 'My account gives you ten new ones.',
    account: 'My account',
  },
} as const
