import type { signIn as english } from '#lib/words/en/sign-in'
import type { TranslationOf } from '#lib/words/translation'

export const signIn: TranslationOf<typeof english> = {
  title: 'Iniciar sesión',
  nick: 'Nombre de usuario',
  password: 'Contraseña',
  code: 'Código',
  missing: {
    nick: 'Escriba su nombre de usuario.',
    password: 'Escriba su contraseña.',
    code: 'Escriba un código.',
  },
  refused: {
    password: 'El nombre de usuario o la contraseña no son correctos.',
    mailedCode: 'Este código no es correcto, ya se ha usado o ha caducado. Use el del último correo.',
    appCode: 'Este código no es correcto o ya se ha usado. Pruebe con el siguiente.',
  },
  busy: 'Iniciando sesión',
  tooManyFailures: 'Demasiados intentos fallidos desde aquí.',
  waitFor: 'Vuelva a intentarlo dentro de <left></left>.',
  ended: 'Su sesión ha terminado. Inicie sesión de nuevo y continúe donde estaba.',
  passwordIsSet: 'Su contraseña nueva se ha establecido. Inicie sesión con ella.',
  back: 'Volver al inicio de sesión',
  passkey: {
    use: 'Iniciar sesión con una clave de acceso',
    instead: 'Usar una clave de acceso',
    refused:
      'No se ha aceptado la clave de acceso. Inicie sesión de otra forma; en Mi cuenta se ve qué claves de acceso tiene.',
    unanswered: 'No se ha usado ninguna clave de acceso. Inténtelo de nuevo o inicie sesión de otra forma.',
  },
  verification: {
    title: 'Código de verificación',
    lead: 'La contraseña es correcta. Falta un paso para <nick></nick>.',
    verify: 'Verificar',
    fromApp: 'Los 6 dígitos que su aplicación de autenticación muestra ahora.',
    withoutApp:
      '¿No tiene el teléfono a mano? También sirve, una sola vez, uno de sus códigos de reserva de 8 dígitos.',
    fromMail: 'Hemos enviado un código a la dirección de correo de su cuenta.',
    withoutMail:
      '¿No tiene el correo a mano? También sirve, una sola vez, uno de sus códigos de reserva de 8 dígitos.',
    lost: '¿Ha perdido el teléfono y los códigos de reserva?',
    lostMail: '¿No le llegan los correos ni tiene códigos de reserva?',
    lostHelp:
      'Puede ayudarle un administrador de su empresa: en la página de su usuario, con «Restablecer el segundo factor». Antes se asegura de que es usted, por teléfono o en persona. Después basta su contraseña para iniciar sesión, y usted configura de nuevo el segundo factor.',
    help: {
      about:
        'Podemos pedírselo por correo. Verán su nombre de usuario, {nick}, y la dirección desde la que lo pide.',
      ask: 'Pedir que lo restablezcan',
      asked: 'Se ha avisado a sus administradores',
      askedBefore: 'Ya se había avisado a sus administradores',
      next: 'Se pondrán en contacto con usted. Prepárese para demostrar quién es. Después inicie sesión aquí como {nick}, solo con su contraseña.',
      byHand: 'Pídaselo usted mismo, por teléfono o en persona, e indique su nombre de usuario: {nick}.',
    },
    isAnother: 'Otro código está en camino. El anterior ya no sirve.',
    nothingCame: '¿No ha llegado nada?',
    anotherIn: 'Podrá pedir otro código dentro de <left></left>.',
    another: 'Enviar otro código',
    sendingAnother: 'Enviando otro código',
    somebodyElse: 'Iniciar sesión con otro usuario',
  },
  forgot: {
    link: '¿Ha olvidado su contraseña?',
    tab: 'Contraseña olvidada',
    title: '¿Ha olvidado su contraseña?',
    lead: 'Indique su nombre de usuario y le enviaremos un enlace para establecer una nueva.',
    send: 'Enviarme un enlace',
    busy: 'Pidiendo un enlace',
    tooMany: 'Se han pedido demasiados enlaces desde aquí.',
    mailed: 'Consulte su correo',
    mailedLead:
      'Si existe ese usuario y tiene una dirección de correo, un enlace está en camino. Es válido durante 30 minutos.',
    noMail: 'Esto no funciona aquí',
    noMailLead: 'Esta instalación no envía correo. Pida una contraseña nueva a su administrador.',
  },
  newPassword: {
    tab: 'Contraseña nueva',
    title: 'Establecer una contraseña nueva',
    lead: 'Después se cierran todas sus sesiones y deberá iniciar sesión con la nueva.',
    field: 'Contraseña nueva',
    hint: 'Al menos {least, plural, =1 {# carácter} other {# caracteres}}. Unas cuantas palabras seguidas son fáciles de recordar.',
    send: 'Establecer la contraseña',
    busy: 'Estableciendo la contraseña',
    tooMany: 'Demasiados intentos desde aquí.',
    missing: 'Escriba una contraseña nueva.',
    tooShort: 'Es demasiado corta: tiene {length, number} de un mínimo de {least, number} caracteres.',
    tooLong: 'Use {most, number} caracteres como máximo.',
    isCommon: 'Es una contraseña común, o su nombre de usuario. Elija una más difícil de adivinar.',
    badLength: 'Es demasiado corta o demasiado larga.',
    spent: 'Este enlace ya se ha usado o ha caducado',
    spentLead:
      'Un enlace sirve para establecer una sola contraseña y es válido durante 30 minutos. Pida uno nuevo.',
    noLink: 'Abra el enlace de su correo',
    noLinkLead:
      'La contraseña nueva se establece con el enlace que le enviamos. Ábralo otra vez desde el correo o pida uno nuevo.',
    askAnew: 'Pedir un enlace nuevo',
  },
  invitation: {
    tab: 'Invitación',
    title: 'Hola, {name}',
    lead: 'Le han invitado a {enterprise}. Su nombre de usuario es <nick></nick>. Elija cómo iniciar sesión.',
    twoFactor: '{enterprise} exige el segundo factor. Es el paso siguiente: tenga su teléfono a mano.',
    password: 'Contraseña nueva',
    send: 'Establecer la contraseña e iniciar sesión',
    busy: 'Iniciando sesión',
    passkey: 'Usar una clave de acceso, sin contraseña',
    passkeyName: 'Primera clave de acceso',
    unanswered: 'No se ha creado ninguna clave de acceso. Inténtelo de nuevo o elija una contraseña.',
    over: 'Esta invitación ya se usó o ha caducado',
    noLink: 'Abra el enlace de su invitación',
    overLead: 'Cada enlace sirve una sola vez, durante un tiempo limitado. Pida otro a quien le invitó.',
  },
  provider: {
    or: 'O bien, sin contraseña propia de esta consola:',
    organization: 'Iniciar sesión con su organización',
    organizationBy: 'Iniciar sesión con su organización ({protocol})',
    beside: 'Se abre en una pestaña nueva. Vuelva aquí después: no se pierde nada de lo que ha escrito.',
    notSignedIn: 'No ha iniciado sesión',
    somebodyElse: 'Iniciar sesión con otro usuario',
    problems: {
      unreachable:
        'El proveedor de identidad no responde en este momento. Inténtelo de nuevo dentro de un rato.',
      refused: 'El proveedor de identidad no ha autorizado su inicio de sesión.',
      expired: 'Este inicio de sesión ha tardado demasiado o se empezó en otro navegador. Empiece de nuevo.',
      'unknown-user':
        'Ha iniciado sesión allí, pero aquí no hay ningún usuario para usted. Consulte a su administrador.',
      'inactive-user': 'Su usuario no puede iniciar sesión aquí. Consulte a su administrador.',
      'another-person':
        'El usuario con su nombre de usuario pertenece a otra persona en el proveedor de identidad. Consulte a su administrador.',
      'not-linked':
        'El usuario con su nombre de usuario tiene contraseña aquí, y esta instalación no le permite entrar a través del proveedor de identidad. Consulte a su administrador.',
      'bad-nick':
        'El proveedor de identidad le da un nombre de usuario que aquí no se admite. Consulte a su administrador.',
      'no-role':
        'El proveedor de identidad no indica para usted ningún rol y empresa que existan aquí. Consulte a su administrador.',
      invalid:
        'La respuesta del proveedor de identidad no es de confianza. Si vuelve a ocurrir, avise a su administrador.',
    },
    details: 'Detalles',
    step: 'Dónde ha fallado',
    steps: {
      discovery: 'Al preguntar al proveedor de identidad cómo iniciar sesión allí.',
      authorization: 'En el proveedor de identidad, antes de que le enviara de vuelta.',
      token: 'Al canjear su código por los tokens.',
      answer: 'Al comprobar lo que dice de usted.',
      userinfo: 'Al pedirle su nombre y su correo.',
      user: 'Al buscar aquí su usuario.',
    },
  },
  verifier: {
    tab: 'Código para el programa',
    title: 'Escriba este código en el programa',
    lead: 'Permite que el programa que acaba de aprobar actúe en su nombre. No se lo muestre a nadie más.',
    copy: 'Copiar el código',
    copied: 'Código copiado',
    noCopy: 'El navegador no permite copiar aquí. Escriba el código.',
    denied: 'Ha denegado el acceso',
    none: 'Aquí no hay ningún código',
    noneLead: 'El programa no puede actuar en su nombre. Puede cerrar esta página.',
  },
}
