import { type Language, type Notice, timeOf, type Words } from '#lib/record/mail/notices'

const notYou = 'Si no ha sido usted, avise de inmediato a su administrador.'
const from = (at: string, address: string | undefined) =>
  `Cuándo: ${at}${address ? `, desde ${address}` : ''}.`
const count = (left: number) =>
  left === 1 ? 'queda 1 código de reserva' : `quedan ${left} códigos de reserva`

const origins = ({ addresses, more }: { addresses: string[]; more: number }) =>
  `${addresses.join(', ')}${more > 0 ? ` y ${more} más` : ''}`

const endKinds = { user: 'Usuario', natip: 'IP NAT', natrule: 'Regla NAT' } as const

function words(notice: Notice, at: string): Words {
  switch (notice.kind) {
    case 'code':
      return {
        subject: `Su código de verificación: ${notice.code}`,
        lines: [
          `Escriba este código donde inicia sesión. Sirve una sola vez, durante ${notice.minutes} minutos.`,
          'Quien lo ha pedido conoce su contraseña. Si no ha sido usted, no se lo dé a nadie y cambie la contraseña.',
        ],
        code: notice.code,
      }
    case 'password-reset':
      return {
        subject: 'Establezca una contraseña nueva',
        lines: [
          `Alguien ha pedido una contraseña nueva para su cuenta. El enlace sirve una sola vez, durante ${notice.minutes} minutos.`,
          'Si no ha sido usted, no haga nada: su contraseña sigue siendo la misma.',
        ],
        button: { label: 'Establecer una contraseña nueva', href: notice.href },
      }
    case 'invitation':
      return {
        subject: 'Tiene una invitación',
        lines: [
          `Un administrador ha creado una cuenta para usted. Su nombre de usuario es ${notice.nick}. Elija una contraseña o una clave de acceso para iniciar sesión.`,
          `El enlace sirve una sola vez, durante ${notice.hours} horas. Si no esperaba este correo, no haga nada.`,
        ],
        button: { label: 'Aceptar la invitación', href: notice.href },
      }
    case 'two-factor-enabled':
      return {
        subject: 'El segundo factor está activado',
        lines: [
          notice.provider === 'EMAIL'
            ? 'A partir de ahora, al iniciar sesión se le pedirá un código que recibirá en esta dirección.'
            : 'A partir de ahora, al iniciar sesión se le pedirá un código de su aplicación de autenticación.',
          from(at, notice.address),
          notYou,
        ],
      }
    case 'two-factor-disabled':
      return {
        subject: 'El segundo factor está desactivado',
        lines: [
          'A partir de ahora basta su contraseña para iniciar sesión.',
          from(at, notice.address),
          notYou,
        ],
      }
    case 'two-factor-reset':
      return {
        subject: 'Un administrador ha desactivado el segundo factor',
        lines: [
          'Hasta que lo configure de nuevo, basta su contraseña para iniciar sesión. Se han cerrado todas sus sesiones.',
          from(at, undefined),
          'Si usted no lo ha pedido, avise de inmediato a su administrador.',
        ],
      }
    case 'two-factor-help':
      return {
        subject: 'Un usuario pide que se restablezca su segundo factor',
        lines: [
          `${notice.nick} ha introducido su contraseña y dice que ha perdido el teléfono y los códigos de reserva.`,
          from(at, notice.address),
          'Asegúrese primero de que es esa persona, por teléfono o en persona: cualquiera que conozca la contraseña puede enviar esta petición. Después use «Restablecer el segundo factor» en la página del usuario.',
        ],
        button: { label: 'Abrir la página del usuario', href: notice.href },
      }
    case 'scratch-code-used':
      return {
        subject: 'Se ha usado un código de reserva',
        lines: [
          `Se ha usado uno de sus códigos de reserva en lugar de un código de verificación: ${count(notice.left)}.`,
          from(at, notice.address),
          notYou,
        ],
      }
    case 'new-scratch-codes':
      return {
        subject: 'Tiene códigos de reserva nuevos',
        lines: ['Los anteriores ya no sirven.', from(at, notice.address), notYou],
      }
    case 'passkey-added':
      return {
        subject: 'Se ha añadido una clave de acceso',
        lines: [
          `Se ha añadido a su cuenta la clave de acceso ${notice.name}. Con ella se inicia sesión sin su contraseña.`,
          from(at, notice.address),
          notYou,
        ],
      }
    case 'password-changed':
      return {
        subject: 'Su contraseña ha cambiado',
        lines: [
          notice.by === 'administrator'
            ? 'Un administrador le ha asignado una contraseña nueva. Se han cerrado todas sus sesiones.'
            : 'Se han cerrado todas las sesiones iniciadas con la anterior.',
          from(at, notice.address),
          notYou,
        ],
      }
    case 'email-changed':
      return {
        subject: 'Su dirección de correo ha cambiado',
        lines: [`A partir de ahora el correo se envía a ${notice.to}.`, from(at, undefined), notYou],
      }
    case 'access-token-ends':
      return {
        subject: `El token de acceso ${notice.name} caduca pronto`,
        lines: [
          `El token de acceso ${notice.name} del usuario ${notice.nick} caduca el ${at}. Desde entonces se rechazarán los programas que lo usen.`,
          'Si aún lo necesitan, cree un token nuevo, entrégueselo y revoque este.',
        ],
      }
    case 'ends':
      return {
        subject: `${notice.name} termina pronto`,
        lines: [
          notice.entity === 'user'
            ? `Usted fijó un final para el usuario ${notice.name}: ${at}. Desde entonces estará inactivo, y sus tokens y sesiones terminarán.`
            : notice.entity === 'natrule'
              ? `Usted fijó un final para la regla NAT ${notice.name}: ${at}. Entonces se desactivará.`
              : `Usted fijó un final para la IP NAT ${notice.name}: ${at}. Entonces se liberará, salvo que tenga reglas NAT.`,
          'Si hace falta más tiempo, fije un final posterior.',
        ],
        button: { label: 'Abrir en la consola', href: notice.href },
      }
    case 'many-ends':
      return {
        subject: `${notice.count} finales próximos`,
        lines: [
          `Usted fijó finales que llegan pronto, el primero el ${at}. Entonces los usuarios quedarán inactivos, las reglas NAT se desactivarán y las IP NAT sin reglas NAT se liberarán.`,
          ...notice.items.map(({ entity, name, at: end }) => `${endKinds[entity]} ${name}: ${timeOf(end)}`),
          ...(notice.more > 0 ? [`y ${notice.more} más`] : []),
          'Si hace falta más tiempo, fije finales posteriores.',
        ],
        button: { label: 'Abrir la consola', href: notice.href },
      }
    case 'webhook-stopped':
      return {
        subject: 'Un webhook se ha detenido',
        lines: [
          `Durante tres días no se ha podido entregar ningún evento a su webhook ${notice.name}. Ahora está inactivo y no envía nada.`,
          `El último intento ha fallado: ${notice.problem}`,
          'Repare el receptor, pruebe el webhook y vuelva a activarlo. Los eventos de entretanto no se entregan.',
        ],
      }
    case 'codes-guessed':
      return {
        subject: 'Alguien intenta adivinar sus códigos de verificación',
        lines: [
          `En una hora se han escrito ${notice.attempts} códigos de verificación erróneos para su cuenta. Han llegado desde ${origins(notice)}.`,
          'Quien los ha escrito conoce su contraseña. Las direcciones nuevas tienen que esperar antes de volver a intentarlo; donde usted ha iniciado sesión en los últimos 30 días no cambia nada.',
          from(at, undefined),
          'Si no ha sido usted, cambie ahora su contraseña y avise a su administrador.',
        ],
      }
  }
}

export const spanish: Language = {
  greeting: (name) => `Hola, ${name}:`,
  words,
  footer: (nick, site) => `Este correo es para el usuario ${nick} de ${site}.`,
}
