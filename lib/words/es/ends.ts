import type { ends as english } from '#lib/words/en/ends'
import type { TranslationOf } from '#lib/words/translation'

export const ends: TranslationOf<typeof english> = {
  label: 'Termina',
  hint: 'En su zona horaria, {zone}. Déjelo vacío para que no termine.',
  time: 'Hora del final',
  never: 'Nunca',
  in: 'Termina {time}',
  overdue: 'Debía terminar {time}',
  refused:
    'No terminó, porque el usuario que fijó el final ya no puede hacerlo. Termínelo usted, o fije un nuevo final.',
  wrong: 'No es un momento válido. Elija un día y una hora, o deje ambos vacíos.',
  attachedUntil: 'Se libera sola',
  disabledAt: 'Se desactiva sola',
  set: 'Final: {name}',
  setDone: 'Se ha guardado el final: {name}.',
  more: '{count, plural, =1 {# más termina} other {# más terminan}} en dos semanas',
  lists: { user: 'usuarios', natip: 'IP NAT', natrule: 'reglas NAT' },
  before: 'Termina antes de',
  within: '{days, plural, =1 {en un día} other {en # días}}',
}
