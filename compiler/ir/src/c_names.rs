//! Names that C++ code cannot give to something of its own: words of the language, and names that
//! the headers of the C library declare at file scope in every program.
//!
//! The list holds the declarations of `<cstdlib>`, `<cstdio>`, `<cmath>`, `<csignal>`,
//! `<unistd.h>`, `<sys/mman.h>` and the headers that these include, by the C standard, POSIX and
//! the GNU C library. The C++ headers declare them outside `std` too. The functions of kernels and
//! the class of the graph share that scope: a name such as `link` would be a function in one place
//! and a class in another.

/// True if `name` is a keyword of C++20 or has a special meaning there.
pub fn is_word(name: &str) -> bool {
    contains(WORDS, name)
}

/// True if the C library declares a function, type or variable `name` at file scope.
pub fn is_declared(name: &str) -> bool {
    let listed = |name: &str| contains(DECLARED, name);
    let variants = ["_r", "_l", "_unlocked", "_np", "64", "f128", "f64x", "f64", "f32x", "f32", "f16"];
    listed(name)
        || name.ends_with("_t") // POSIX keeps all of these for types
        || name.starts_with("pthread_")
        || name.starts_with("sched_")
        || name == "FILE"
        || variants.iter().any(|ending| name.strip_suffix(ending).is_some_and(listed))
}

/// True if the C library has a macro `name`, which replaces the name everywhere.
pub fn is_macro(name: &str) -> bool {
    contains(MACROS, name)
}

/// True if the compiler of the AI Engine gives `name` a meaning everywhere: `restrict` and the
/// directives of chess (UG1079, "Kernel Coding Best Practices"; UG1076, "Compiler Directives").
pub fn is_of_chess(name: &str) -> bool {
    name == "restrict" || name.starts_with("chess_")
}

/// True if `<adf.h>` declares `name` at file scope: types of elements, vectors and accumulators,
/// accesses to windows, streams and registers, intrinsics (UG1078, UG1079). `adf_names.txt` lists
/// the names that follow no rule. A test reads them from the headers of the host runtime.
pub fn is_of_adf(name: &str) -> bool {
    is_of_adf_by_rule(name) || contains(include_str!("adf_names.txt"), name)
}

/// True if `<adf.h>` declares `name` and the name follows a rule: types such as `v8int32` and
/// `v4cacc48` (UG1078, "Vector Data Types"), and accesses to windows.
pub fn is_of_adf_by_rule(name: &str) -> bool {
    let lanes = name.strip_prefix('v').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let lanes = lanes.filter(|rest| rest.len() + 1 < name.len());
    let element = lanes.unwrap_or(name);
    let bits = |kind: &str| {
        element
            .strip_prefix(kind)
            .is_some_and(|bits| ["", "4", "8", "16", "32", "48", "64", "80"].contains(&bits))
    };
    let is_vector =
        lanes.is_some() && (["int", "uint", "cint"].iter().any(|kind| bits(kind)) || element == "float");
    let is_number = ["acc", "cacc"].iter().any(|kind| element != *kind && bits(kind))
        || ["cfloat", "bfloat16", "accfloat", "caccfloat", "accauto"].contains(&element);
    is_vector || is_number || name.starts_with("window_")
}

fn contains(words: &str, name: &str) -> bool {
    words.split_ascii_whitespace().any(|word| word == name)
}

/// Keywords of C++20 and words with a meaning there.
const WORDS: &str = "alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char char8_t char16_t \
    char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue \
    decltype default delete do double dynamic_cast else enum errno explicit export extern false final float for friend \
    goto if import inline int linux long main module mutable namespace new noexcept not not_eq nullptr operator or or_eq \
    override private protected public register reinterpret_cast requires return short signed sizeof static \
    static_assert static_cast std stderr stdin stdout struct switch template this thread_local throw true try typedef \
    typeid typename union unix unsigned using virtual void volatile wchar_t while xor xor_eq EOF NULL";

/// Functions, types and variables, without variants for other types or threads.
const DECLARED: &str = "a64l abort abs accept access acct acos acosf acosh acoshf acoshl acosl adjtime alarm aligned_alloc alloca \
    arc4random arc4random_buf arc4random_uniform asctime asin asinf asinh asinhf asinhl asinl asprintf \
    at_quick_exit atan atan2 atan2f atan2l atanf atanh atanhf atanhl atanl atexit atof atoi atol atoll basename \
    bcmp bcopy bind brk bsearch btowc bzero calloc canonicalize canonicalize_file_name canonicalizef \
    canonicalizel cbrt cbrtf cbrtl ceil ceilf ceill chdir chmod chown chroot clearenv clearerr clock \
    clock_adjtime clock_getcpuclockid clock_getres clock_gettime clock_nanosleep clock_settime clone close \
    close_range closefrom confstr connect copy_file_range copysign copysignf copysignl cos cosf cosh coshf coshl \
    cosl creat crypt ctermid ctime cuserid daddl daemon daylight ddivl dfmal difftime div dmull dprintf drand48 \
    drand48_data drem dremf dreml dsqrtl dsubl dup dup2 dup3 duplocale dysize eaccess ecvt endusershell environ \
    erand48 erf erfc erfcf erfcl erff erfl euidaccess execl execle execlp execv execve execveat execvp execvpe \
    exit exp exp10 exp10f exp10l exp2 exp2f exp2l expf expl explicit_bzero expm1 expm1f expm1l f_owner_ex fabs \
    fabsf fabsl faccessat fadd faddl fallocate fchdir fchmod fchmodat fchown fchownat fclose fcloseall fcntl \
    fcvt fd_mask fd_set fdatasync fdim fdimf fdiml fdiv fdivl fdopen feof ferror fexecve fflush ffma ffmal ffs \
    ffsl ffsll fgetc fgetpos fgets fgetwc fgetws file_handle fileno finite finitef finitel flock flockfile floor \
    floorf floorl fma fmaf fmal fmax fmaxf fmaximum fmaximum_mag fmaximum_mag_num fmaximum_mag_numf \
    fmaximum_mag_numl fmaximum_magf fmaximum_magl fmaximum_num fmaximum_numf fmaximum_numl fmaximumf fmaximuml \
    fmaxl fmaxmag fmaxmagf fmaxmagl fmemopen fmin fminf fminimum fminimum_mag fminimum_mag_num fminimum_mag_numf \
    fminimum_mag_numl fminimum_magf fminimum_magl fminimum_num fminimum_numf fminimum_numl fminimumf fminimuml \
    fminl fminmag fminmagf fminmagl fmod fmodf fmodl fmul fmull fopen fopencookie fork fpathconf fprintf fputc \
    fputs fputwc fputws fread free freelocale freopen frexp frexpf frexpl fromfp fromfpf fromfpl fromfpx \
    fromfpxf fromfpxl fscanf fseek fseeko fsetpos fsqrt fsqrtl fstat fstatat fsub fsubl fsync ftell ftello \
    ftruncate ftrylockfile funlockfile futimens futimes futimesat fwide fwprintf fwrite fwscanf gamma gammaf \
    gammal gcvt get_current_dir_name getc getchar getcontext getcpu getcwd getdate getdate_err getdelim \
    getdomainname getdtablesize getegid getentropy getenv geteuid getgid getgroups gethostid gethostname \
    getitimer getline getloadavg getlogin getopt getpagesize getpass getpayload getpayloadf getpayloadl getpgid \
    getpgrp getpid getppid getpt getresgid getresuid getsid getsubopt gettid gettimeofday getuid getumask \
    getusershell getw getwc getwchar getwd gmtime grantpt group_member gsignal hypot hypotf hypotl ilogb ilogbf \
    ilogbl index initstate iovec isalnum isalpha isascii isatty isblank iscanonical iscntrl isctype isdigit \
    iseqsig isgraph isinff isinfl islower isnanf isnanl isprint ispunct issignaling isspace isupper iswalnum \
    iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit \
    isxdigit iszero itimerspec itimerval j0 j0f j0l j1 j1f j1l jn jnf jnl jrand48 kill killpg l64a labs lchmod \
    lchown lcong48 lconv ldexp ldexpf ldexpl ldiv lgamma lgammaf lgammal link linkat listen llabs lldiv llogb \
    llogbf llogbl llrint llrintf llrintl llround llroundf llroundl localeconv localtime lockf log log10 log10f \
    log10l log1p log1pf log1pl log2 log2f log2l logb logbf logbl logf logl lrand48 lrint lrintf lrintl lround \
    lroundf lroundl lseek lstat lutimes madvise makecontext malloc mblen mbrlen mbrtowc mbsinit mbsnrtowcs \
    mbsrtowcs mbstowcs mbtowc memccpy memchr memcmp memcpy memfd_create memfrob memmem memmove mempcpy memrchr \
    memset mincore mkdir mkdirat mkdtemp mkfifo mkfifoat mknod mknodat mkostemp mkostemps mkstemp mkstemps \
    mktemp mktime mlock mlock2 mlockall mmap modf modff modfl mprotect mrand48 mremap msync munlock munlockall \
    munmap name_to_handle_at nan nanf nanl nanosleep nearbyint nearbyintf nearbyintl newlocale nextafter \
    nextafterf nextafterl nextdown nextdownf nextdownl nexttoward nexttowardf nexttowardl nextup nextupf nextupl \
    nice nrand48 obstack obstack_printf obstack_vprintf on_exit open open_by_handle_at open_memstream \
    open_wmemstream openat optarg opterr optind optopt pathconf pause pclose perror pipe pipe2 pkey_alloc \
    pkey_free pkey_get pkey_mprotect pkey_set popen posix_fadvise posix_fallocate posix_madvise posix_memalign \
    posix_openpt pow powf powl pread printf process_madvise process_mrelease profil program_invocation_name \
    program_invocation_short_name pselect psiginfo psignal ptsname putc putchar putenv puts putw putwc putwchar \
    pwrite qecvt qfcvt qgcvt qsort quick_exit raise rand random random_data rawmemchr read readahead readlink \
    readlinkat realloc reallocarray realpath recv remainder remainderf remainderl remap_file_pages remove remquo \
    remquof remquol rename renameat renameat2 revoke rewind rindex rint rintf rintl rmdir round roundeven \
    roundevenf roundevenl roundf roundl rpmatch sbrk scalb scalbf scalbl scalbln scalblnf scalblnl scalbn \
    scalbnf scalbnl scanf secure_getenv seed48 select sem_clockwait sem_close sem_destroy sem_getvalue sem_init \
    sem_open sem_post sem_timedwait sem_trywait sem_unlink sem_wait send setbuf setbuffer setcontext \
    setdomainname setegid setenv seteuid setgid sethostid sethostname setitimer setlinebuf setlocale setlogin \
    setns setpayload setpayloadf setpayloadl setpayloadsig setpayloadsigf setpayloadsigl setpgid setpgrp \
    setregid setresgid setresuid setreuid setsid setstate settimeofday setuid setusershell setvbuf shm_open \
    shm_unlink shutdown sigaction sigaddset sigaltstack sigandset sigblock sigcontext sigdelset sigemptyset \
    sigevent sigfillset siggetmask sighold sigignore siginterrupt sigisemptyset sigismember signal signgam \
    significand significandf significandl sigorset sigpause sigpending sigprocmask sigqueue sigrelse sigreturn \
    sigset sigsetmask sigstack sigsuspend sigtimedwait sigval sigwait sigwaitinfo sin sincos sincosf sincosl \
    sinf sinh sinhf sinhl sinl sleep snprintf socket splice sprintf sqrt sqrtf sqrtl srand srand48 srandom \
    sscanf ssignal stat statx statx_timestamp stpcpy stpncpy strcasecmp strcasestr strcat strchr strchrnul \
    strcmp strcoll strcpy strcspn strdup strerror strfromd strfromf strfroml strfry strftime strlen strncasecmp \
    strncat strncmp strncpy strndup strnlen strpbrk strptime strrchr strsep strsignal strspn strstr strtod \
    strtof strtok strtol strtold strtoll strtoq strtoul strtoull strtouq strverscmp strxfrm swab swapcontext \
    swprintf swscanf symlink symlinkat sync sync_file_range syncfs syscall sysconf system sysv_signal tan tanf \
    tanh tanhf tanhl tanl tcgetpgrp tcsetpgrp tee tempnam tgamma tgammaf tgammal tgkill time timegm timelocal \
    timer_create timer_delete timer_getoverrun timer_gettime timer_settime timespec timespec_get timespec_getres \
    timeval timex timezone tm tmpfile tmpnam toascii tolower totalorder totalorderf totalorderl totalordermag \
    totalordermagf totalordermagl toupper towctrans towlower towupper trunc truncate truncf truncl ttyname \
    ttyslot tzname tzset u_char u_int u_long u_short ualarm ufromfp ufromfpf ufromfpl ufromfpx ufromfpxf \
    ufromfpxl uint ulong umask ungetc ungetwc unlink unlinkat unlockpt unsetenv unshare uselocale ushort usleep \
    utimensat utimes va_list valloc vasprintf vdprintf vfork vfprintf vfscanf vfwprintf vfwscanf vhangup \
    vmsplice vprintf vscanf vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf vwscanf wcpcpy wcpncpy \
    wcrtomb wcscasecmp wcscat wcschr wcschrnul wcscmp wcscoll wcscpy wcscspn wcsdup wcsftime wcslen wcsncasecmp \
    wcsncat wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstof wcstok \
    wcstol wcstold wcstoll wcstombs wcstoq wcstoul wcstoull wcstouq wcswcs wcswidth wcsxfrm wctob wctomb wctrans \
    wctype wcwidth wmemchr wmemcmp wmemcpy wmemmove wmempcpy wmemset wprintf write wscanf y0 y0f y0l y1 y1f y1l \
    yn ynf ynl";

/// Macros that a design might use as names.
const MACROS: &str = "ACCESSPERMS ALLPERMS BIG_ENDIAN BUFSIZ BYTE_ORDER CHAR_BIT CHAR_MAX CHAR_MIN CHAR_WIDTH CLOCKS_PER_SEC \
    CSIGNAL DBL_DIG DBL_EPSILON DBL_MAX DBL_MIN DEFFILEMODE E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV \
    EAFNOSUPPORT EAGAIN EALREADY EBADE EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD \
    ECHRNG ECOMM ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST \
    EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR \
    EISNAM EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX \
    ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET \
    ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM \
    ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY \
    ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM \
    EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS \
    ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN \
    EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL EXIT_FAILURE EXIT_SUCCESS FAPPEND FASYNC FFSYNC FLT_DIG FLT_EPSILON \
    FLT_MAX FLT_MIN FNDELAY FNONBLOCK HUGE_VAL HUGE_VALF HUGE_VALL HUGE_VAL_F128 HUGE_VAL_F32 HUGE_VAL_F32X \
    HUGE_VAL_F64 HUGE_VAL_F64X INFINITY INT16_MAX INT16_MIN INT16_WIDTH INT32_MAX INT32_MIN INT32_WIDTH \
    INT64_MAX INT64_MIN INT64_WIDTH INT8_MAX INT8_MIN INT8_WIDTH INTMAX_MAX INTMAX_MIN INTMAX_WIDTH INTPTR_MAX \
    INTPTR_MIN INTPTR_WIDTH INT_MAX INT_MIN INT_WIDTH LITTLE_ENDIAN LLONG_MAX LLONG_MIN LLONG_WIDTH LONG_BIT \
    LONG_MAX LONG_MIN LONG_WIDTH MAXFLOAT MINSIGSTKSZ M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E M_LOG2E \
    M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 NAME_MAX NAN NFDBITS NGREG NSIG NZERO PATH_MAX PTRDIFF_MAX RAND_MAX \
    SCHAR_MAX SCHAR_MIN SCHAR_WIDTH SEEK_CUR SEEK_DATA SEEK_END SEEK_HOLE SEEK_SET SHRT_MAX SHRT_MIN SHRT_WIDTH \
    SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE \
    SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTKSZ SIGSTOP SIGSYS SIGTERM SIGTRAP \
    SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIZE_MAX SNAN SNANL \
    SSIZE_MAX UCHAR_MAX UCHAR_WIDTH UINT16_MAX UINT16_WIDTH UINT32_MAX UINT32_WIDTH UINT64_MAX UINT64_WIDTH \
    UINT8_MAX UINT8_WIDTH UINTMAX_MAX UINTMAX_WIDTH UINTPTR_MAX UINTPTR_WIDTH UINT_MAX UINT_WIDTH ULLONG_MAX \
    ULLONG_WIDTH ULONG_MAX ULONG_WIDTH USHRT_MAX USHRT_WIDTH WCONTINUED WEOF WEXITED WNOHANG WNOWAIT WSTOPPED \
    WUNTRACED math_errhandling sa_handler sa_sigaction sched_priority si_addr si_addr_lsb si_arch si_band \
    si_call_addr si_fd si_int si_lower si_overrun si_pid si_pkey si_ptr si_status si_stime si_syscall si_timerid \
    si_uid si_upper si_utime si_value sigev_notify_attributes sigev_notify_function st_atime st_ctime st_mtime";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_types_and_macros_of_the_library_are_known() {
        for name in ["link", "pipe", "size_t", "stat", "sinf32", "strtok_r", "pthread_create", "FILE"] {
            assert!(is_declared(name), "{name}");
        }
        for name in ["SIGINT", "INT_MAX", "M_PI", "st_atime"] {
            assert!(is_macro(name), "{name}");
        }
    }

    #[test]
    fn types_of_vectors_and_directives_are_known() {
        for name in [
            "v8int32",
            "v4cint16",
            "v16float",
            "v8acc48",
            "v4cacc80",
            "acc48",
            "cfloat",
            "v16bfloat16",
            "window_incr",
        ] {
            assert!(is_of_adf(name), "{name}");
        }
        assert!(is_of_chess("restrict") && is_of_chess("chess_prepare_for_pipelining"));
    }

    #[test]
    fn other_names_are_free() {
        for name in [
            "worker", "sink", "scale", "x64", "f32", "point", "SIG", "N", "v8", "v", "v8x", "vint", "acc",
            "windows", "v2", "chess", "int_sum",
        ] {
            assert!(
                !is_declared(name) && !is_macro(name) && !is_of_adf(name) && !is_of_chess(name),
                "{name}"
            );
        }
    }
}
