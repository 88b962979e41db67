import type { gateways as english } from '#lib/words/en/gateways'
import type { TranslationOf } from '#lib/words/words'

export const gateways: TranslationOf<typeof english> = {
  title: 'Pasarela',
  unknown: 'Dispositivo {id}',
  tabs: 'Acerca de {name}',
  statuses: {
    insync: 'Sincronizada',
    pending: 'Atrasada',
    drifted: 'Desviada',
    refused: 'Reglas rechazadas',
    silent: 'En silencio',
    unmanaged: 'Sin gestionar',
  },
  meaning: {
    insync: 'La pasarela traduce todo lo que debe.',
    pending: 'La pasarela aún no ha aplicado los últimos cambios. Tarda unos dos segundos.',
    drifted: 'Otro programa ha cambiado las traducciones en el dispositivo.',
    refused: 'La pasarela no ha podido aplicar algunas traducciones. Las demás están en vigor.',
    silent:
      'Faltan tres informes de la pasarela. Lo último que aplicó sigue en vigor mientras el dispositivo funcione.',
    unmanaged:
      'Ninguna pasarela ha informado todavía. Las reglas NAT de este dispositivo no traducen ningún paquete.',
  },
  notLinux: 'Ninguna pasarela ha informado. Una pasarela es para un dispositivo de tipo LINUX.',
  reported: 'Último informe',
  interval: 'Informa cada',
  seconds: '{count, plural, =1 {# segundo} other {# segundos}}',
  revision: 'Revisión en vigor',
  translations: 'Traducciones en vigor',
  mode: 'Modo',
  modes: { enforce: 'Corrige lo que otros cambian', watch: 'Solo observa' },
  agent: 'Programa',
  drift: 'Desviación',
  driftAbout: 'Lo que la pasarela ha encontrado en el dispositivo y lo que debería haber.',
  refused: 'Traducciones rechazadas',
  refusedAbout: 'Lo que la pasarela no ha podido aplicar, y por qué.',
  rule: 'Regla',
  ruleWithId: 'Regla {id}',
  reason: 'Motivo',
  more: 'Mostrar {count, plural, =1 {# más} other {# más}}',
  start: {
    title: 'Iniciar la pasarela',
    about:
      'Se crean una cuenta de servicio con su ámbito y un token de acceso para un año. El token tiene dos privilegios: PHYS_DC_RETRIEVE_DETAILS y MANAGE_DEVICES.',
    make: 'Crear el comando',
    again: 'Crear otro token para esta pasarela',
    busy: 'Creando la cuenta y el token',
    command: 'Escriba este comando en el dispositivo, como root',
    copy: 'Copiar el comando',
    pass: 'El comando contiene el token.',
    waiting: 'A la espera del primer informe',
    heard: 'La pasarela informa.',
    help: 'Cómo instalar una pasarela (en inglés)',
  },
  home: {
    title: 'Pasarelas con problemas',
    all: 'y {count, plural, =1 {# más} other {# más}}',
  },
}
