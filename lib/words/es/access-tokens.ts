import type { accessTokens as english } from '#lib/words/en/access-tokens'
import type { TranslationOf } from '#lib/words/translation'

export const accessTokens: TranslationOf<typeof english> = {
  title: 'Tokens de acceso',
  one: 'Token de acceso',
  create: 'Crear token de acceso',
  unknown: 'Token de acceso {id}',
  aboutOwn:
    'Claves con las que sus programas llaman a la API en su nombre, con los privilegios que usted elija.',
  aboutUser:
    'Claves con las que los programas llaman a la API como este usuario. Solo el usuario puede crearlas.',
  aboutService: 'Claves con las que los programas llaman a la API como esta cuenta de servicio.',
  empty: 'No hay tokens de acceso',
  emptyOwn: 'Cree uno para un programa que llama a la API: no necesita su contraseña ni un código.',
  emptyUser: 'Ningún programa llama a la API como este usuario con un token de acceso.',
  emptyService: 'Una cuenta de servicio solo actúa con tokens de acceso. Cree uno para su programa.',
  expires: 'Caduca',
  ended: 'Caducado',
  daysLeft: '{days, plural, =0 {Caduca en menos de un día} =1 {Queda # día} other {Quedan # días}}',
  lastUse: 'Último uso',
  neverUsed: 'Nunca',
  usedFrom: '<time></time> desde {address}',
  created: 'Creado',
  networks: 'Se puede usar desde',
  everywhere: 'Cualquier lugar',
  actsAs: 'Actúa como',
  privileges: '{count, plural, =0 {Ninguno} =1 {# privilegio} other {# privilegios}}',
  reachNow: 'De estos privilegios tiene los que su usuario posee en el momento de cada petición.',
  revokeThis: 'Revocar {name}',
  revoke: {
    title: '¿Revocar el token de acceso?',
    text: 'Los programas que usan <b>{name}</b> se rechazarán de inmediato. No se puede deshacer.',
    submit: 'Revocar',
    done: 'El token de acceso {name} se ha revocado.',
  },
  form: {
    use: 'Uso',
    made: 'El token de acceso {name} se ha creado.',
    nameHint: 'Qué programa lo usa y dónde.',
    expires: 'Caduca',
    expiresHint: 'Enviaremos un correo una semana antes de que termine.',
    days: 'En {days, number} días',
    otherDay: 'Otro día',
    noDay: 'Elija un día dentro de los próximos 366.',
    networksHint: 'Desde dónde puede llamar el programa. Ninguna: desde donde pueda hacerlo su usuario.',
    reachHint:
      'Elija solo lo que el programa necesita. También necesita los privilegios para leer lo que cambia.',
    count: '{count, number} de {all, number} elegidos.',
    noPrivilege: 'Elija al menos un privilegio.',
  },
  made: {
    copy: 'Copiar el token de acceso',
    pass: 'Entrégueselo al programa de forma segura.',
    use: 'Pruébelo',
    useHint: 'En una consola, estas líneas muestran quién es el programa y qué puede hacer:',
    copyLines: 'Copiar las líneas',
  },
  soon: {
    one: 'El token de acceso <link>{name}</link> {days, plural, =0 {caduca en menos de un día} =1 {caduca en # día} other {caduca en # días}}.',
  },
}
