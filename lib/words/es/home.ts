import type { home as english } from '#lib/words/en/home'
import type { TranslationOf } from '#lib/words/words'

export const home: TranslationOf<typeof english> = {
  signIn: {
    title: 'Su inicio de sesión',
    off: 'El segundo factor está desactivado',
    offWhy:
      'Su contraseña basta por sí sola para abrir esta cuenta. Con una aplicación de autenticación en su teléfono, una contraseña robada no es suficiente. Configurarlo lleva dos minutos.',
    setUp: 'Configurar el segundo factor',
    on: 'El segundo factor está activado',
    codesLeft:
      '{count, plural, =0 {No queda ningún código de reserva. Sin su teléfono no podría iniciar sesión.} =1 {Queda un código de reserva.} other {Quedan # códigos de reserva.}}',
    newCodes: 'En Mi cuenta puede obtener diez nuevos.',
    account: 'Mi cuenta',
  },
}
