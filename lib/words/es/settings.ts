import type { settings as english } from '#lib/words/en/settings'
import type { TranslationOf } from '#lib/words/translation'

export const settings: TranslationOf<typeof english> = {
  title: 'Configuración',
  about:
    'Cómo se inicia sesión aquí. Son los valores con los que se arrancó el servidor; los secretos no se muestran.',
  copy: 'Copiar: {label}',
  on: 'Activado',
  off: 'Desactivado',
  turnsOn: 'Se activa con {setting}.',
  test: 'Probar el inicio de sesión',
  testBy: 'Probar el inicio de sesión con {name}',
  testHint: 'La prueba va al proveedor y vuelve. No inicia ninguna sesión y muestra cuál sería el resultado.',
  names: {
    oidc: 'OpenID Connect',
    saml: 'SAML 2.0',
    password: 'Nombre de usuario y contraseña',
    twoFactor: 'Autenticación de dos factores',
    sessions: 'Sesiones',
    oauth: 'OAuth 1.0a',
  },
  linkExisting: {
    label: 'Usuarios que tienen contraseña aquí',
    linked:
      'Pueden entrar a través del proveedor: la primera vez por su nombre de usuario, después vinculados',
    refused: 'No pueden entrar a través del proveedor',
  },
  newUsers: {
    label: 'Personas sin usuario aquí',
    created: 'Se convierten en usuarios, con el rol y la empresa que indica el proveedor',
    refused: 'No pueden iniciar sesión',
  },
  password: {
    console: 'En la consola',
    basic: 'HTTP Basic',
    tries: 'Contraseñas incorrectas seguidas',
    lockAfter: 'El usuario se bloquea tras {tries, number}',
    lockNever: 'Nunca bloquean a un usuario',
  },
  sessions: {
    idle: 'Una sesión sin actividad termina tras',
    most: 'Una sesión dura como máximo',
    token: 'Un token de un programa dura',
  },
  twoFactor: {
    offered: 'Se ofrece',
    providers: { APP_AUTHENTICATOR: 'Aplicación de autenticación', EMAIL: 'Código por correo electrónico' },
    reset: 'Para desactivar el segundo factor de otra persona',
    approvals: '{count, plural, =1 {Un administrador} other {# administradores}}',
    mailServer: 'Servidor de correo',
    noMail: 'Ninguno: no se envía correo',
    mailFrom: 'Remitente del correo',
  },
  oauth: {
    requestToken: 'Token de petición',
    authorize: 'Autorización',
    accessToken: 'Token de acceso',
  },
  oidc: {
    issuer: 'Emisor',
    clientId: 'Id. de cliente',
    clientAuth: 'El id. y el secreto del cliente se envían',
    clientAuths: {
      offered: 'En el formulario si el proveedor lo ofrece; si no, en la cabecera',
      post: 'En el formulario',
      basic: 'En la cabecera (Basic)',
    },
    scopes: 'Permisos solicitados (scopes)',
    callback: 'Dirección de retorno que se registra allí',
    afterSignOut: 'Dirección tras cerrar la sesión que se registra allí',
    audience: 'Audiencia de los tokens de acceso',
    nick: 'Declaración (claim) del nombre de usuario',
    role: 'Declaración (claim) del rol',
    enterprise: 'Declaración (claim) de la empresa',
  },
  saml: {
    providerMetadata: 'Metadatos del proveedor',
    entryPoint: 'Dirección de inicio de sesión del proveedor',
    entityId: 'Id. de entidad propio',
    metadata: 'Metadatos propios que se registran allí',
    acs: 'Servicio consumidor de aserciones',
    logout: 'Servicio de cierre de sesión único',
    signed: 'Debe estar firmada',
    signedParts: {
      assertion: 'La aserción',
      response: 'La respuesta',
      both: 'La respuesta y la aserción',
    },
    nick: 'Atributo del nombre de usuario',
    nameId: 'Ninguno: el NameID',
    name: 'Atributo del nombre',
    email: 'Atributo del correo electrónico',
    role: 'Atributo del rol',
    enterprise: 'Atributo de la empresa',
    notRead: 'No se lee',
    password: 'Además, nombre de usuario y contraseña',
  },
  trial: {
    title: 'Resultado de la prueba',
    about: 'No se ha iniciado ninguna sesión ni se ha cambiado nada. Su propia sesión continúa.',
    close: 'Cerrar el resultado',
    reason: 'Motivo, tal como consta en el registro: <code></code>',
    user: {
      OPENID: 'El usuario al que corresponden las declaraciones (claims)',
      SAML: 'El usuario al que corresponden los atributos',
    },
    attributes: { OPENID: 'Declaraciones (claims)', SAML: 'Atributos' },
    received: {
      OPENID: 'Declaraciones (claims) tal como se recibieron',
      SAML: 'Atributos tal como se recibieron',
    },
    value: 'Valor',
    verdict: {
      known: '{nick} iniciaría sesión',
      followed: '{nick} iniciaría sesión',
      created: '{nick} iniciaría sesión, como usuario nuevo',
      nobody: 'Nadie iniciaría sesión',
    },
    detail: {
      known:
        'Este usuario existe aquí. El nombre, el correo, el rol y la empresa del usuario se quedan como están.',
      followed:
        'Este usuario existe aquí y lo creó este proveedor. Su nombre, su correo y su rol se actualizarían con los del proveedor.',
      created: 'Este usuario todavía no existe aquí: se crearía con este rol y esta empresa.',
      'unknown-user': 'Aquí no hay ningún usuario {nick}, y {setting} no permite que el proveedor cree uno.',
      'inactive-user':
        'El usuario {nick} está deshabilitado o bloqueado, o no puede iniciar sesión desde la dirección de usted.',
      'another-person':
        'El usuario {nick} está vinculado a otra persona en el proveedor. Si es la misma persona, ejecute reset-identity en el servidor.',
      'not-linked':
        'El usuario {nick} tiene contraseña aquí, y {linkSetting} no permite que entre a través del proveedor.',
      'bad-nick': 'Aquí nadie puede tener el nombre de usuario {nick}.',
      'no-role': 'Un usuario nuevo necesita los nombres de un rol y de una empresa que existan aquí.',
      unreachable: 'El proveedor de identidad no responde.',
      refused: 'El proveedor de identidad no ha identificado a nadie.',
      expired: 'El inicio de sesión ha tardado demasiado. Empiece de nuevo.',
      invalid:
        'No se ha podido confiar en la respuesta del proveedor de identidad, o no nombra a nadie que pueda ser usuario aquí.',
    },
  },
}
