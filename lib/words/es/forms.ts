import type { forms as english } from '#lib/words/en/forms'
import type { TranslationOf } from '#lib/words/translation'

export const forms: TranslationOf<typeof english> = {
  saving: 'Guardando',
  dates: {
    openCalendar: 'Elegir el día',
    previousMonth: 'Mes anterior',
    nextMonth: 'Mes siguiente',
    noDay: 'Ese día no existe.',
    noTime: 'Esa hora no existe. Escríbala así: 14:05.',
  },
  decideFirst: 'Elija primero, en cada campo, cuál de los dos valores se guarda.',
  shownOnce: 'Solo se muestra esta vez: cópielo ahora.',
  leave: {
    title: '¿Salir sin guardar?',
    text: 'Lo que ha cambiado aquí no está guardado y se perderá.',
    leave: 'Salir',
    stay: 'Quedarse',
  },
  confirm: {
    first: 'Primero escriba {text}',
    typeThis: 'Para confirmar, escriba <text></text>',
    busy: 'Eliminando',
    notYet: 'Todavía no se puede eliminar',
  },
  conflict: {
    title: 'Modificado por otra persona',
    about:
      'Otra persona guardó un cambio mientras usted editaba. Elija campo por campo qué se guarda, o siga escribiendo. Después, guarde.',
    by: '{user} guardó el {time}.',
    same: 'Otra persona guardó el mismo cambio mientras usted editaba. Guarde para continuar.',
    before: 'Antes',
    theirs: 'De la otra persona',
    mine: 'Lo mío',
    both: 'Ambos cambios',
    allTheirs: 'Todo de la otra persona',
    allMine: 'Todo lo mío',
    choose: '{field}: {whose}',
    members: '{count, plural, =0 {Ninguno} one {# elemento} other {# elementos}}',
    unchanged: 'Sin cambios',
  },
  newer: {
    by: '{user} modificó esto a las {time}',
    somebody: 'Otra persona modificó esto',
    compare: 'Comparar',
    about: 'Su formulario aún muestra lo que había antes. Compare las dos versiones y elija qué conservar.',
  },
  inPlace: {
    enterprise: {
      create: 'Crear una empresa',
      about:
        'Sus usuarios reciben su propio ámbito, {scope}, salvo que tengan otro. Su página permite cambiarlo después.',
      created: 'La empresa {name} se ha creado.',
    },
    role: {
      create: 'Crear un rol',
      like: 'Privilegios de',
      likeWhat:
        'El rol nuevo recibe los privilegios de este que usted mismo tiene. Su página permite cambiarlos después.',
      likeMissing: 'Elija un rol.',
      created: 'El rol {name} se ha creado.',
    },
    scope: {
      create: 'Crear un ámbito',
      about:
        'Contiene la empresa {enterprise} y ningún centro de datos. Su página permite añadir más después.',
      aboutBoth:
        'Contiene la empresa {enterprise} y el centro de datos {datacenter}. Su página permite añadir más después.',
      why: 'Los usuarios de {enterprise} solo pueden recibir un ámbito que contenga esta empresa y que no muestre más que el suyo.',
      created: 'El ámbito {name} se ha creado.',
    },
    datacenter: 'Crear un centro de datos',
    device: 'Crear un dispositivo',
    network: 'Crear una red NAT',
    center: 'Crear un centro de datos virtual',
    appliance: 'Crear un appliance virtual',
    machine: 'Registrar una máquina virtual',
    natIp: 'Asignar una IP NAT',
  },
  tags: {
    hint: 'Pulse Intro después de cada una. Se sugieren las etiquetas que están en uso.',
    count: '{count, plural, =1 {# recurso} other {# recursos}}',
    remove: 'Quitar la etiqueta {tag}',
    wrong:
      'Las etiquetas tienen de 1 a 64 caracteres, sin saltos de línea, y son 20 como máximo. Ninguna se repite, sin distinguir mayúsculas.',
  },
  networks: {
    label: 'Redes permitidas',
    example: 'Por ejemplo, 192.0.2.0/24 o 2001:db8::/32. Varias a la vez, separadas por espacios.',
    input: 'Red que se añade',
    typeFirst: 'Escriba antes una red.',
    add: 'Añadir',
    remove: 'Quitar {network}',
    full: 'La lista admite como máximo {most, number} redes.',
    none: '{text} no es una red como 192.0.2.0/24 o 2001:db8::/32.',
    mean: 'La parte de host no es cero. ¿Quería decir {network}?',
    twice: '{network} ya está en la lista.',
    single: 'Una dirección: {first}.',
    covers: '{count, plural, =1 {# dirección} other {# direcciones}}, de {first} a {last}.',
    coversMany: 'De {first} a {last}.',
  },
  reasons: {
    needs: 'Para esto necesita el privilegio «{privilege}» ({name}).',
  },
  faults: {
    length: 'Escriba de {min, number} a {max, number} caracteres.',
    tooLong: 'Escriba {max, number} caracteres como máximo.',
    characters: 'Aquí no se pueden usar caracteres de control.',
  },
}
