import type { jobs as english } from '#lib/words/en/jobs'
import type { TranslationOf } from '#lib/words/translation'

export const jobs: TranslationOf<typeof english> = {
  title: 'Trabajos',
  running: '{count, plural, =1 {Hay un trabajo en curso} other {Hay # trabajos en curso}}',
  none: 'Los cambios de muchas filas, las importaciones y lo que se deshace aparecen aquí durante siete días.',
  operations: {
    'natip-update': '{count, plural, =0 {Cambiar IP NAT} =1 {Cambiar una IP NAT} other {Cambiar # IP NAT}}',
    'natip-delete':
      '{count, plural, =0 {Eliminar IP NAT} =1 {Eliminar una IP NAT} other {Eliminar # IP NAT}}',
    'natip-attach': '{count, plural, =0 {Asignar IP NAT} =1 {Asignar una IP NAT} other {Asignar # IP NAT}}',
    'natip-release': '{count, plural, =0 {Liberar IP NAT} =1 {Liberar una IP NAT} other {Liberar # IP NAT}}',
    'natrule-update':
      '{count, plural, =0 {Cambiar reglas NAT} =1 {Cambiar una regla NAT} other {Cambiar # reglas NAT}}',
    'natrule-delete':
      '{count, plural, =0 {Eliminar reglas de NAT} =1 {Eliminar una regla de NAT} other {Eliminar # reglas de NAT}}',
    'user-update':
      '{count, plural, =0 {Cambiar usuarios} =1 {Cambiar un usuario} other {Cambiar # usuarios}}',
    'user-delete':
      '{count, plural, =0 {Eliminar usuarios} =1 {Eliminar un usuario} other {Eliminar # usuarios}}',
    'plan-apply': 'Aplicar una importación',
    'event-undo': 'Deshacer un cambio',
  },
  states: {
    waiting: 'En espera',
    running: 'En curso',
    done: 'Hecho',
    stopped: 'Detenido',
    failed: 'Fallido',
  },
  progress: '{done, number} de {total, number}',
  rows: '{done, plural, =0 {Ninguna fila} =1 {# fila} other {# filas}}',
  refused: '{count, plural, =1 {# rechazada} other {# rechazadas}}',
  stop: 'Detener',
  stopped: 'El trabajo se ha detenido. Lo que hizo hasta entonces se conserva.',
  notStopped: 'No se ha podido detener el trabajo.',
  undoing: 'El cambio se está deshaciendo.',
  notUndone: 'No se ha podido deshacer el cambio.',
  event: 'Evento',
}
