// What the bindings need beyond nanobind: a guard that gives up the interpreter's lock, and arrays that are written to.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

// Without the interpreter's lock as long as it lives.
//
// A daemon thread that wants the lock back while the interpreter shuts down does not get it: CPython up to 3.13 calls pthread_exit,
// which unwinds the stack, and the first noexcept function on the way (nanobind's dispatcher is one) ends the whole process with
// std::terminate. So the unwinding is caught here, and the thread waits for the end of the process, as CPython 3.14 lets it.
class Unlocked {
   public:
    Unlocked() : state(PyEval_SaveThread()) {}
    ~Unlocked() {
        try {
            PyEval_RestoreThread(state);
        } catch (...) {  // also a forced unwinding, which must not leave this block
            for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
        }
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

   private:
    PyThreadState* state;
};

// An array that a kernel writes to. Never a converted copy, in which the result would be lost: another type or layout is a TypeError.
template <typename T, std::size_t dimensions>
struct Written : nanobind::ndarray<T, nanobind::ndim<dimensions>, nanobind::device::cpu, nanobind::c_contig> {
    using Array = nanobind::ndarray<T, nanobind::ndim<dimensions>, nanobind::device::cpu, nanobind::c_contig>;
    Written() = default;
    Written(const Array& array) : Array(array) {}
};

template <typename T, std::size_t dimensions>
struct nanobind::detail::type_caster<Written<T, dimensions>> {
    using Inner = make_caster<typename Written<T, dimensions>::Array>;
    using Array = Written<T, dimensions>;  // a macro takes no comma
    NB_TYPE_CASTER(Array, Inner::Name)

    bool from_python(handle source, std::uint8_t flags, cleanup_list* cleanup) noexcept {
        Inner inner;
        const bool taken = inner.from_python(source, flags & ~static_cast<std::uint8_t>(cast_flags::convert), cleanup);
        if (taken) value = inner.value;
        return taken;
    }
};
