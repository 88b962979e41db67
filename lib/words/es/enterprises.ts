import type { enterprises as english } from '#lib/words/en/enterprises'
import type { TranslationOf } from '#lib/words/translation'

export const enterprises: TranslationOf<typeof english> = {
  list: {
    title: 'Empresas',
    about:
      'Los clientes de esta nube. Cada usuario, centro de datos virtual y plantilla pertenece a una de ellas.',
    empty: 'Todavía no hay empresas',
    emptyHint: 'Una empresa reúne usuarios y lo que estos ponen en marcha.',
    emptyOfScope: 'Su ámbito no incluye ninguna empresa. Pida a un administrador que le añada una.',
    mandatory: 'Obligatorio',
    optional: 'A elección de cada usuario',
    scope: 'Ámbito predeterminado',
    scopeHidden: 'No visible para usted',
  },
  page: {
    unknown: 'Empresa {id}',
    tabs: 'Lo que pertenece a {enterprise}',
    overview: 'Resumen',
    twoFactorOn: 'Obligatorio para todos sus usuarios',
    twoFactorOff: 'A elección de cada usuario',
    scopeTitle: 'Lo que ven sus usuarios',
    scopeAbout: 'El ámbito predeterminado vale para los usuarios que no tienen un ámbito propio.',
  },
  form: {
    edit: 'Editar {enterprise}',
    saved: 'La empresa {enterprise} se ha guardado.',
    mandatory: 'El segundo factor es obligatorio',
    notMandatory: 'A elección de cada usuario',
    mandatoryHint:
      'Quienes no lo han configurado deben hacerlo al iniciar sesión. Hasta entonces no tienen nada más disponible.',
    mandatoryUsers:
      '{count, plural, =0 {Todos sus usuarios lo han configurado.} =1 {# usuario todavía no lo ha configurado.} other {# usuarios todavía no lo han configurado.}}',
    scopeHint: 'El ámbito de los usuarios de esta empresa que no tienen uno propio.',
    ownScope: 'Su propio ámbito: {scope}',
  },
  properties: {
    about: 'Claves y valores propios, para programas que los leen de la API.',
    key: 'Clave',
    value: 'Valor',
    add: 'Añadir propiedad',
    remove: 'Quitar',
    removeOf: 'Quitar {key}',
    removed: 'La propiedad se ha quitado.',
    empty: 'Todavía no hay propiedades.',
    left: '{count, plural, =0 {No se pueden añadir más: 256 es el máximo.} =1 {Se puede añadir # más.} other {Se pueden añadir # más.}}',
    save: 'Guardar propiedades',
    discard: 'Descartar cambios',
    unchanged: 'Todavía no ha cambiado nada.',
    saved: 'Las propiedades de {enterprise} se han guardado.',
    keyEmpty: 'Escriba una clave.',
    keyTwice: 'Esta clave ya existe.',
    keyLength: 'Una clave tiene como máximo 128 caracteres.',
    keyPattern: 'Una clave no puede contener caracteres de control.',
    valueLength: 'Un valor tiene como máximo 2048 caracteres.',
    valuePattern: 'Un valor no puede contener caracteres de control.',
  },
  remove: {
    title: '¿Eliminar la empresa?',
    about:
      'La empresa <b>{enterprise}</b> se elimina con sus propiedades y desaparece de los ámbitos que la incluyen. Esta acción no se puede deshacer.',
    inUse:
      'Todavía le pertenecen usuarios, roles, centros de datos virtuales, máquinas virtuales o plantillas. Elimínelos o trasládelos antes.',
    showUsers: 'Mostrar sus usuarios',
    done: 'La empresa {enterprise} se ha eliminado.',
  },
}
