import type { account as english } from '#lib/words/en/account'
import type { TranslationOf } from '#lib/words/translation'

export const account: TranslationOf<typeof english> = {
  title: 'Mi cuenta',
  about: 'Su perfil y cómo inicia sesión.',
  profile: {
    title: 'Perfil',
    edit: 'Editar el perfil',
    notGiven: 'Sin indicar',
    sees: {
      everything: 'Ve todas las empresas y todos los centros de datos',
      allEnterprises: 'Ve todas las empresas',
      allDatacenters: 'Ve todos los centros de datos',
    },
  },
  editProfile: {
    title: 'Editar su perfil',
    about: 'Su nombre, su dirección de correo y su idioma.',
    emailHint: 'A esta dirección se envían los mensajes sobre su cuenta.',
    emailCodes: 'También se envían ahí sus códigos de verificación: asegúrese de que puede leer ese correo.',
    descriptionHint: 'La ven otros usuarios: por ejemplo, su función o su equipo.',
    fromProvider:
      'Usted inicia sesión con el proveedor de identidad de su organización, que puede cambiar su nombre y su correo en el próximo inicio de sesión.',
    speech: 'Idioma y región',
    complete: 'Traducciones completas',
    inEnglish: 'Textos en inglés; fechas y números según el país',
    inSpanish: 'Textos en español; fechas y números según el país',
    completeHint: 'La consola y sus correos están traducidos por completo a este idioma.',
    example: 'Así se muestran las fechas y los números:',
    saved: 'Su perfil se ha guardado.',
  },
  providerCard: {
    title: 'Inicio de sesión',
    text: 'Usted inicia sesión con el proveedor de identidad de su organización. Cambie allí su contraseña y su segundo factor.',
  },
  tokens: {
    title: 'Tokens de este inicio de sesión',
    about:
      'Los tokens que le ha entregado el proveedor de identidad. Un programa que envía el token de acceso como token Bearer actúa en su nombre: manténgalo en secreto.',
    loading: 'Cargando los tokens',
    access: 'Token de acceso',
    refresh: 'Token de renovación',
    noRefresh: 'El proveedor no ha entregado ninguno',
    show: 'Mostrar',
    hide: 'Ocultar',
    showAccess: 'Mostrar el token de acceso',
    hideAccess: 'Ocultar el token de acceso',
    showRefresh: 'Mostrar el token de renovación',
    hideRefresh: 'Ocultar el token de renovación',
    copyAccess: 'Copiar el token de acceso',
    copyRefresh: 'Copiar el token de renovación',
    expiry: 'Caducidad del token de acceso',
    noExpiry: 'El proveedor no indica cuándo',
    ranOut: 'Caducó {when}',
    renew: 'Obtener tokens nuevos',
    renewing: 'Consultando al proveedor',
    cannotRenew:
      'El proveedor no ha entregado ningún token de renovación. Para obtener un nuevo token de acceso, inicie sesión de nuevo.',
    renewed: 'Tiene tokens nuevos.',
    notRenewed: 'No se han podido renovar los tokens',
  },
  passwordCard: {
    text: 'No la use en ningún otro sitio. Cámbiela si es posible que otra persona la conozca.',
    change: 'Cambiar la contraseña',
  },
  password: {
    title: 'Cambiar su contraseña',
    forcedTitle: 'Elija su propia contraseña',
    about: 'Con ella inicia sesión aquí y en todos los programas que usan la API en su nombre.',
    forced: 'Otra persona estableció su contraseña. Para continuar, elija una propia.',
    now: 'Contraseña actual',
    next: 'Contraseña nueva',
    hint: 'Al menos {least, number} caracteres. Unas cuantas palabras seguidas son fáciles de recordar.',
    hintShort: '{length, number} de un mínimo de {least, number} caracteres.',
    hintEnough: '{length, number} caracteres: longitud suficiente.',
    missing: 'Escriba su contraseña actual.',
    isNick:
      'Es su nombre de usuario, o se le parece demasiado. Elija una contraseña más difícil de adivinar.',
    isSame: 'Es su contraseña actual. Elija otra.',
    isWrong: 'Esta no es su contraseña actual.',
    change: 'Cambiar la contraseña',
    changing: 'Cambiando la contraseña',
    changed: 'Su contraseña ha cambiado. Se han cerrado todas las sesiones iniciadas con la anterior.',
    tooMany: 'Demasiadas contraseñas incorrectas. Vuelva a intentarlo dentro de <left></left>.',
  },
  twoFactor: {
    title: 'Autenticación de dos factores',
    about: 'Después de la contraseña, el inicio de sesión pide un código que solo usted tiene.',
    turnOff: 'Desactivar',
    turningOff: 'Desactivando',
    newCodes: 'Nuevos códigos de reserva',
    setUp: 'Configurar',
    state: 'Estado',
    on: 'Activado',
    off: 'Desactivado',
    offWhy: 'Quien averigüe su contraseña puede iniciar sesión en su lugar.',
    from: 'Origen del código',
    codesLeft: 'Códigos de reserva restantes',
    fewCodes: 'Genere otros antes de necesitarlos.',
    unfinished: 'La configuración no está terminada',
    unfinishedText:
      'Todavía no se ha aceptado ningún código, así que el inicio de sesión no pide ninguno y vuelve a la configuración. Continúe con una clave nueva y elimine de su aplicación la entrada de la anterior. Los programas que envían su contraseña ya necesitan un código.',
    goOn: 'Continuar',
    newPhone: 'Teléfono nuevo',
    newPhoneTitle: 'Configurar un teléfono nuevo',
    newPhoneText:
      'Escriba un código de reserva o un código del teléfono anterior. El segundo factor queda desactivado hasta que el teléfono nuevo dé el primer código correcto: es el paso siguiente. También recibe códigos de reserva nuevos.',
    newPhoneGoOn: 'Continuar',
    takeBack: 'Deshacer la activación',
    prove: 'Comprobar un código',
    takenBack:
      'El segundo factor vuelve a estar desactivado. Elimine los códigos de reserva que haya guardado y la entrada de su aplicación.',
    disableTitle: '¿Desactivar el segundo factor?',
    disableText: {
      APP_AUTHENTICATOR:
        'A partir de entonces bastará su contraseña para iniciar sesión. Sus códigos de reserva y la entrada de su aplicación dejarán de servir: elimine ambos.',
      EMAIL:
        'A partir de entonces bastará su contraseña para iniciar sesión. Sus códigos de reserva dejarán de servir: elimínelos.',
    },
    disabled: 'El segundo factor está desactivado. Para iniciar sesión basta su contraseña.',
    renewTitle: '¿Generar nuevos códigos de reserva?',
    renewText: 'Recibirá diez códigos nuevos. Los que tiene ahora dejarán de servir.',
    renew: 'Generar códigos nuevos',
    renewing: 'Generando códigos nuevos',
    renewed: 'Tiene diez nuevos códigos de reserva. Los anteriores ya no sirven.',
    newTitle: 'Sus nuevos códigos de reserva',
    newText:
      'Con cada uno puede iniciar sesión una vez cuando no pueda recibir sus códigos habituales. Solo se muestran ahora: guárdelos en un lugar seguro.',
    kept: 'Los he guardado',
    proveText: 'Compruebe que recibe los códigos correctos, para que su próximo inicio de sesión funcione.',
    check: 'Comprobar el código',
    checking: 'Comprobando',
    proved: 'El código era correcto. Su próximo inicio de sesión pedirá uno nuevo.',
  },
  proof: {
    title: 'Confirme que es usted',
    why: 'Este cambio podría dar a otra persona acceso a su cuenta, y usted inició la sesión hace un rato. Para continuar, introduzca su contraseña o un código. No se pierde nada de lo que ha escrito.',
    password: 'Su contraseña',
    missing: 'Introduzca su contraseña.',
    wrong: 'La contraseña no es correcta.',
    usePasskey: 'Usar una clave de acceso',
    passkeyUnanswered: 'No se ha usado ninguna clave de acceso. Inténtelo de nuevo o elija otra forma.',
    useCode: 'Usar un código de verificación',
    usePassword: 'Usar la contraseña',
    checking: 'Comprobando',
    goOn: 'Continuar',
    whyProvider:
      'Este cambio podría dar a otra persona acceso a su cuenta, y usted inició la sesión hace un rato. Inicie la sesión de nuevo en otra pestaña y continúe aquí. No se pierde nada de lo que ha escrito.',
    signInAgain: 'Iniciar sesión de nuevo',
    newTab: 'Se abre en una pestaña nueva',
  },
  code: {
    label: 'Código de verificación',
    tooMany: 'Demasiados códigos incorrectos. Vuelva a intentarlo dentro de <left></left>.',
    names: { APP_AUTHENTICATOR: 'Aplicación de autenticación', EMAIL: 'Correo electrónico' },
    fresh: {
      APP_AUTHENTICATOR: 'Los seis dígitos que su aplicación de autenticación muestra ahora.',
      EMAIL: 'Los seis dígitos del correo más reciente.',
    },
    any: {
      APP_AUTHENTICATOR:
        'Los seis dígitos que su aplicación de autenticación muestra ahora o uno de sus códigos de reserva.',
      EMAIL: 'Los seis dígitos del correo más reciente o uno de sus códigos de reserva.',
    },
    notFresh: {
      APP_AUTHENTICATOR: 'Escriba los seis dígitos que muestra su aplicación.',
      EMAIL: 'Escriba los seis dígitos del correo.',
    },
    notAny: {
      APP_AUTHENTICATOR:
        'Escriba los seis dígitos que muestra su aplicación o los ocho de un código de reserva.',
      EMAIL: 'Escriba los seis dígitos del correo o los ocho de un código de reserva.',
    },
    wrong: {
      APP_AUTHENTICATOR:
        'Este código no se ha aceptado. Cada código sirve una sola vez: espere al siguiente en su aplicación o use otro código de reserva.',
      EMAIL:
        'Este código no se ha aceptado. Solo vale el correo más reciente y cada código sirve una sola vez: pida otro código o use otro código de reserva.',
    },
    mail: {
      unsent: 'El código llega por correo a <email></email>.',
      sent: 'Se ha enviado un código a <email></email>. Puede tardar un minuto en llegar.',
      sentBefore: 'Hace un momento se envió un código a <email></email>. Sirve una sola vez.',
      send: 'Enviar un código',
      another: 'Enviar otro código',
      anotherIn: 'Enviar otro código (en {seconds, number} s)',
      sending: 'Enviando un código',
    },
  },
  enrolment: {
    title: 'Configurar la autenticación de dos factores',
    asked: '{enterprise} exige a todos el segundo factor. Configúrelo para continuar.',
    steps: 'Pasos',
    position: 'Paso {step, number} de {count, number}',
    marks: { done: 'Hecho', now: 'En curso', toDo: 'Pendiente' },
    titles: {
      provider: 'Elegir un método',
      app: 'Añadir la clave a su aplicación',
      codes: 'Guardar los códigos de reserva',
      proof: 'Probar un código',
    },
    leave: 'Salir',
    provider: {
      about: 'Elija de dónde vienen los códigos que pide el inicio de sesión.',
      label: 'Origen de los códigos',
      preparing: 'Un momento',
      outlook: {
        APP_AUTHENTICATOR:
          'Tenga su teléfono a mano. El paso siguiente le da la clave para su aplicación; después recibe códigos de reserva por si pierde el teléfono. En cuanto un código sea correcto, el inicio de sesión pedirá uno.',
        EMAIL:
          'Tenga su correo a mano. El paso siguiente le envía un código; después recibe códigos de reserva por si no le llega ningún correo. En cuanto un código sea correcto, el inicio de sesión pedirá uno.',
      },
      app: 'Una aplicación de su teléfono muestra un código nuevo cada 30 segundos. No necesita conexión.',
      email: 'Cada vez que inicia sesión se envía un código a {email}.',
      impossible: 'Aquí no es posible.',
      noMailServer: 'Aquí no es posible: esta instalación no tiene servidor de correo.',
      noEmail: 'Su perfil no tiene dirección de correo. Añada una primero.',
      askForEmail:
        'Su usuario no tiene dirección de correo. Pida a un administrador de {enterprise} que añada una.',
    },
    app: {
      about:
        'Abra en su teléfono una aplicación de autenticación, por ejemplo Aegis, Google Authenticator, Microsoft Authenticator o un gestor de contraseñas, y añada una entrada.',
      scan: 'Escanee este código',
      qr: 'Código QR con la clave de {account} para una aplicación de autenticación. La misma clave se puede escribir.',
      onThisDevice: 'Abrir en la aplicación de este dispositivo',
      type: 'O escriba la clave',
      key: 'Clave',
      copyKey: 'Copiar la clave',
      keyCopied: 'Clave copiada',
      noCopy: 'El navegador no permite copiar aquí. Seleccione la clave y cópiela a mano.',
      issuer: 'Emisor',
      account: 'Cuenta',
      kind: 'Tipo de código',
      kindText: 'Basado en la hora, 6 dígitos, cada 30 segundos',
      noKey: 'El servidor no ha enviado ninguna clave que una aplicación pueda leer',
      noKeyText: 'Salga, desactívelo de nuevo y pida ayuda a un administrador.',
      code: 'Después escriba el código que muestra',
      codeFrom: 'Seis dígitos. El primer código correcto activa el segundo factor.',
    },
    codes: {
      about: {
        APP_AUTHENTICATOR:
          'Con cada uno puede iniciar sesión una vez si pierde el teléfono o se le estropea. Solo se muestran ahora: guárdelos en un lugar seguro.',
        EMAIL:
          'Con cada uno puede iniciar sesión una vez si no le llega ningún correo. Solo se muestran ahora: guárdelos en un lugar seguro.',
      },
    },
    kept: {
      title: '¿Los ha guardado?',
      about:
        'Confirme de una de estas dos formas que tiene los códigos. Nada de lo que introduzca aquí se envía a ninguna parte.',
      again: 'Mostrar los códigos de nuevo',
      type: 'Escriba su código número {number, number}',
      typeHint: 'Sus ocho dígitos, tal como los copió, descargó o imprimió.',
      missing: 'Escriba el código número {number, number} o elija el archivo.',
      wrong:
        'Este no es su código número {number, number}. Vuelva a ver los códigos si todavía no los ha guardado.',
      file: 'O elija el archivo que ha descargado',
      choose: 'Elegir el archivo',
      drop: 'o suéltelo aquí',
      remove: 'Quitar el archivo {name}',
      holds: '{file} contiene los diez códigos.',
      lacks: '{file} no contiene todos sus códigos. Elija otro archivo.',
    },
    proof: {
      about: 'Compruebe que los códigos le llegan: el primero que sea correcto activa el segundo factor.',
      turnOn: 'Activar',
      checking: 'Comprobando',
      wrong: 'Este código no es correcto. Más abajo encontrará ayuda.',
      fromMail: 'Los seis dígitos del correo.',
      helps: 'Qué puede ayudar',
      helpsApp: {
        newest: 'Escriba el código más reciente: cambia cada 30 segundos y cada uno sirve una sola vez.',
        clock:
          'Active la hora automática en su teléfono: un reloj con un minuto de diferencia da códigos incorrectos.',
        entry: '¿Tiene más de una entrada para esta cuenta? Elimine la más antigua.',
      },
      helpsMail: {
        newest: 'Use el correo más reciente: en cuanto se envía otro código, el anterior deja de servir.',
        dead: 'Tras cinco intentos fallidos, o pasados diez minutos, un código deja de servir: pida otro.',
        unwanted: '¿No llega ningún correo? Mire en la carpeta de correo no deseado.',
      },
      done: {
        APP_AUTHENTICATOR: 'El segundo factor está activado y su aplicación da los códigos correctos.',
        EMAIL: 'El segundo factor está activado y los códigos le llegan.',
      },
    },
    leaving: {
      title: '¿Salir antes de terminar?',
      unproved:
        'Todavía no se ha aceptado ningún código. Su próximo inicio de sesión aquí no pedirá ninguno y volverá a esta configuración, con una clave nueva. Los programas que envían su contraseña necesitan un código desde ahora.',
      unkept:
        'El segundo factor está activado. Todavía no ha confirmado que guarda los códigos de reserva, y no se pueden volver a mostrar. En «Mi cuenta» puede obtener otros con un código.',
      turnOff: 'Salir y desactivarlo',
    },
    already: {
      toAccount: 'Ir a mi cuenta',
      proved: 'El segundo factor ya está activado',
      provedText:
        'La clave y los códigos de reserva se mostraron una vez y no se pueden volver a mostrar. Si su aplicación no da códigos, desactive el segundo factor con uno de sus códigos de reserva y configúrelo de nuevo. Si no tiene códigos de reserva, pida ayuda a un administrador antes de cerrar la sesión.',
      unproved: 'El segundo factor está activado y esta sesión todavía no ha enviado ningún código',
      unprovedElsewhere:
        'Lo ha configurado en otra sesión. Introduzca un código para continuar. Si no tiene ninguno, pida ayuda a un administrador.',
    },
  },
  scratchCodes: {
    title: 'Códigos de reserva',
    copy: 'Copiar los códigos de reserva',
    download: 'Descargar',
    print: 'Imprimir',
    whose: '{account} en {place}',
    titleOf: 'Códigos de reserva de {account} en {place}',
    since: '{host}, {day}',
    once: 'Cada código sirve una sola vez, en lugar del código de verificación habitual.',
    keepFile:
      'Guárdelos donde nadie más pueda leerlos, y no solo en el teléfono ni en el buzón de los que vienen sus códigos habituales.',
    keepSheet:
      'Cada código sirve una sola vez, en lugar del código de verificación habitual. Guarde esta hoja donde nadie más pueda leerla.',
  },
  device: {
    browserOn: '{browser} en {system}',
    program: 'Programa ({name})',
    unknown: 'Dispositivo desconocido',
    at: '{device} ({address})',
  },
  passkeys: {
    title: 'Claves de acceso',
    byName: 'Las claves de acceso necesitan un nombre',
    byNameText:
      'Los navegadores no crean claves de acceso para {host}, que es una dirección IP. Abra la consola por su nombre.',
    about:
      'Con una clave de acceso se inicia sesión sin contraseña ni código. La guarda su dispositivo o llave de seguridad, que pide su huella, su rostro o un PIN.',
    empty: 'No hay claves de acceso',
    emptyHint: 'Añada una para iniciar sesión sin escribir la contraseña.',
    name: 'Nombre',
    nameMissing: 'Escriba un nombre de 128 caracteres como máximo.',
    created: 'Añadida',
    lastUsed: 'Último uso',
    never: 'Nunca',
    actions: 'Acciones',
    add: 'Añadir una clave de acceso',
    addTitle: 'Añadir una clave de acceso',
    addAbout:
      'Póngale un nombre que indique dónde se guarda. Después el navegador preguntará qué dispositivo la guarda.',
    added: 'Ya puede iniciar sesión con la clave de acceso {name}.',
    notHere:
      'Este navegador no ofrece aquí claves de acceso. Hacen falta https y un navegador que las conozca.',
    unanswered:
      'El navegador no ha creado ninguna clave de acceso. Inténtelo de nuevo y confirme en su ventana.',
    knownHere: 'Este dispositivo ya tiene una clave de acceso suya.',
    rename: 'Cambiar el nombre',
    renameThis: 'Cambiar el nombre de {name}',
    renameTitle: 'Cambiar el nombre de {name}',
    renameAbout: 'Solo cambia el nombre que se muestra aquí.',
    renamed: 'La clave de acceso se llama ahora {name}.',
    remove: 'Quitar',
    removeThis: 'Quitar {name}',
    removeTitle: '¿Quitar la clave de acceso {name}?',
    removeAbout:
      'Después nadie podrá iniciar sesión con ella. Elimínela también en el dispositivo: permanece allí hasta entonces.',
    removed: 'Se ha quitado la clave de acceso {name}.',
    busy: 'Un momento',
  },
  sessions: {
    title: 'Sesiones',
    about:
      'Dónde tiene la sesión iniciada: navegadores, y programas que usan la API en su nombre. Cierre las que no reconozca.',
    empty: 'Ninguna sesión',
    emptyHint: 'No tiene la sesión iniciada en ningún sitio.',
    device: 'Dispositivo',
    since: 'Iniciada',
    lastUse: 'Último uso',
    actions: 'Acciones',
    place: '{address}, <used></used>',
    current: 'Esta sesión',
    end: 'Cerrar',
    endThis: 'Cerrar la sesión de {device} ({address}), iniciada el {since}',
    ending: 'Cerrando',
    ended: 'La sesión de {name} se ha cerrado.',
    endedBefore: 'La sesión de {name} ya estaba cerrada.',
    notEnded: 'La sesión de {name} sigue abierta',
    endOthers: 'Cerrar todas las demás',
    endOthersTitle: '¿Cerrar todas las demás sesiones?',
    endOthersText:
      'Se cierra la sesión en todos los demás navegadores y en todos los programas que tienen un token suyo. Esto incluye los que no están en la lista porque todavía no lo han usado. Un programa que envía su contraseña vuelve a iniciar sesión por sí mismo: si es posible que otra persona la conozca, cámbiela.',
    othersEnded: 'Se ha cerrado la sesión en todas partes menos aquí.',
  },
}
